import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'

const LOOKS = {
  card: 'border border-line bg-card text-ink hover:bg-tint',
  primary: 'bg-primary text-primary-ink hover:brightness-110',
  plain: 'text-ink hover:bg-tint',
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  /** What the button does; read aloud and shown as a tip. */
  label: string
  icon: ReactNode
  variant?: keyof typeof LOOKS
}

export function IconButton({ label, icon, variant = 'card', className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={classNames(
        'grid size-11 flex-none place-items-center rounded-field transition',
        'active:scale-95 disabled:cursor-not-allowed disabled:opacity-55 [&_svg]:size-5.5',
        LOOKS[variant],
        className,
      )}
    >
      {icon}
    </button>
  )
}
