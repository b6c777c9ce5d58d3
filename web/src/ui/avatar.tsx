import { classNames } from './class-names.ts'
import { initialsOf, stableColor } from './initials.ts'

/** The initials grow with the circle, on the grid: they are a picture, and the name is next to it. */
const SIZES = {
  xs: { circle: 'size-8', initials: 3 },
  sm: { circle: 'size-9.5', initials: 3.5 },
  md: { circle: 'size-11', initials: 3.5 },
  lg: { circle: 'size-20', initials: 6 },
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
  const { circle, initials } = SIZES[size]
  return (
    <span
      aria-hidden="true"
      style={{
        backgroundColor: stableColor(seed ?? name),
        fontSize: `calc(${initials} * var(--grid))`,
      }}
      className={classNames(
        'grid flex-none place-items-center rounded-full font-semibold text-white select-none',
        circle,
        className,
      )}
    >
      {initialsOf(name)}
    </span>
  )
}
