import { classNames } from './class-names.ts'
import { initialsOf, stableColour } from './initials.ts'

const SIZES = { sm: 'size-9.5 text-small', md: 'size-11 text-small', lg: 'size-20 text-figure' }

type AvatarProps = {
  name: string
  /** What keeps its colour stable, usually the id; the name if absent. */
  seed?: string
  size?: keyof typeof SIZES
  className?: string
}

/** Initials on a stable colour. The name stands beside it, so readers skip it. */
export function Avatar({ name, seed, size = 'md', className }: AvatarProps) {
  return (
    <span
      aria-hidden="true"
      style={{ backgroundColor: stableColour(seed ?? name) }}
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
