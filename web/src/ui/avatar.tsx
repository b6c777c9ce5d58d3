import { classNames } from './class-names.ts'
import { initialsOf, stableColor } from './initials.ts'

const SIZES = {
  xs: 'size-8 text-caption',
  sm: 'size-9.5 text-small',
  md: 'size-11 text-small',
  lg: 'size-20 text-figure',
}

type AvatarProps = {
  name: string
  /** Keeps the color stable: usually the id, else the name. */
  seed?: string
  size?: keyof typeof SIZES
  className?: string
}

/** Initials on a stable color. Hidden from screen readers because the name is next to it. */
export function Avatar({ name, seed, size = 'md', className }: AvatarProps) {
  return (
    <span
      aria-hidden="true"
      style={{ backgroundColor: stableColor(seed ?? name) }}
      className={classNames(
        'grid flex-none place-items-center rounded-full font-semibold text-white select-none',
        SIZES[size],
        className,
      )}
    >
      {initialsOf(name)}
    </span>
  )
}
