import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'

const LOOKS = {
  card: 'border border-line bg-card text-ink hover:bg-tint',
  primary: 'bg-primary text-primary-ink hover:brightness-110',
  plain: 'text-ink hover:bg-tint',
  quiet: 'text-muted hover:bg-tint',
  danger: 'text-danger-text hover:bg-danger-tint',
}

const SHAPES = {
  square: 'size-11 rounded-field',
  round: 'size-11.5 rounded-full',
  /** Inside something pressable. */
  small: 'size-8 rounded-full',
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  /** The action; the accessible name, and the tooltip unless `title` is given. */
  label: string
  icon: ReactNode
  variant?: keyof typeof LOOKS
  shape?: keyof typeof SHAPES
}

export function IconButton({
  label,
  icon,
  variant = 'card',
  shape = 'square',
  className,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={classNames(
        'grid flex-none place-items-center transition',
        'active:scale-95 disabled:cursor-not-allowed disabled:opacity-55 [&_svg]:size-5.5',
        LOOKS[variant],
        SHAPES[shape],
        className,
      )}
    >
      {icon}
    </button>
  )
}
