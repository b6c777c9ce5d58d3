import { useEffect, type ComponentProps, type MouseEvent } from 'react'
import { classNames } from './class-names.ts'
import { Spinner } from './spinner.tsx'
import { announce } from './toast-store.ts'

export type ButtonVariant = 'primary' | 'ghost' | 'tint' | 'danger' | 'danger-ghost' | 'plain'

const LOOKS: Record<ButtonVariant, string> = {
  primary: 'bg-primary text-primary-ink hover:brightness-110',
  ghost: 'border border-line text-ink hover:bg-tint',
  tint: 'bg-tint text-primary hover:brightness-95',
  danger: 'bg-danger text-danger-ink hover:brightness-110',
  'danger-ghost': 'border border-line text-danger-text hover:bg-danger-tint',
  plain: 'text-primary hover:underline',
}

const SIZES = {
  lg: 'min-h-13 w-full rounded-card px-6',
  md: 'min-h-target rounded-field px-5',
  sm: 'min-h-target rounded-full px-4 text-small',
}

/** Button styles for a link that looks like a button. */
export function buttonLook(variant: ButtonVariant = 'primary', size: keyof typeof SIZES = 'md') {
  return classNames(
    'inline-flex items-center justify-center gap-2 font-semibold transition',
    'active:scale-98 disabled:cursor-not-allowed disabled:opacity-55 disabled:active:scale-100',
    'aria-disabled:cursor-not-allowed aria-disabled:opacity-55 aria-disabled:active:scale-100',
    LOOKS[variant],
    SIZES[size],
  )
}

type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant
  size?: keyof typeof SIZES
  /** The action in progress; while set, the button shows a spinner and cannot be pressed again. */
  busyText?: string | false
  /** Cannot be pressed right now, but keeps focus. */
  isWaiting?: boolean
}

export function Button({
  variant,
  size,
  busyText,
  isWaiting = false,
  className,
  children,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  // A button's content is its accessible name, and screen readers don't announce a changed name.
  useEffect(() => {
    if (busyText) announce(busyText)
  }, [busyText])
  const isOff = isWaiting || Boolean(busyText)
  return (
    <button
      {...rest}
      type={type}
      // Not `disabled`, which would drop focus.
      aria-disabled={isOff || rest['aria-disabled']}
      aria-busy={Boolean(busyText) || undefined}
      onClick={isOff ? refuse : onClick}
      className={classNames(buttonLook(variant, size), className)}
    >
      {busyText ? (
        <>
          <Spinner />
          {busyText}
        </>
      ) : (
        children
      )}
    </button>
  )
}

/** Also stops Enter in a field from submitting the form twice. */
function refuse(event: MouseEvent) {
  event.preventDefault()
}
