import { ChevronRight } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Spinner } from './spinner.tsx'

const LOOKS = {
  joined:
    'min-h-13 gap-3.5 font-medium not-first:border-t not-first:border-line -outline-offset-2 first:rounded-t-card last:rounded-b-card',
  alone: 'min-h-14 gap-3 rounded-card border border-line font-semibold active:scale-98',
}

type RowButtonProps = Omit<ComponentProps<'button'>, 'children' | 'className'> & {
  icon: ReactNode
  label: string
  /** Replaces the arrow at the end. */
  detail?: ReactNode
  /** One of several in a card, or a row with its own border. */
  variant?: keyof typeof LOOKS
  isDestructive?: boolean
  /** The action in progress; while set, the row cannot be pressed again. */
  busyText?: string | false
}

/** An action as a full-width row. */
export function RowButton({
  icon,
  label,
  detail,
  variant = 'joined',
  isDestructive,
  busyText,
  disabled,
  ...rest
}: RowButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || Boolean(busyText)}
      className={classNames(
        'flex w-full items-center px-4 text-left transition hover:bg-tint disabled:cursor-not-allowed disabled:opacity-55 [&_svg]:size-5.5',
        LOOKS[variant],
        isDestructive && 'text-danger-text',
      )}
    >
      <span
        aria-hidden="true"
        className={classNames(
          'grid size-5.5 flex-none place-items-center',
          variant === 'alone' && 'text-primary',
        )}
      >
        {busyText ? <Spinner /> : icon}
      </span>
      <span role={busyText ? 'status' : undefined} className="flex-1">
        {busyText || label}
      </span>
      <span className="text-small font-normal text-muted tabular-nums">
        {detail ?? <ChevronRight aria-hidden="true" />}
      </span>
    </button>
  )
}
