import { classNames } from './class-names.ts'
import { stableColour } from './initials.ts'

/** A cover for something that has no picture of its own: its stable colour, soft rings and the pennant. */
export function CoverArt({ seed, className }: { seed: string; className?: string }) {
  const turn = seed.length * 47
  return (
    <svg
      viewBox="0 0 336 96"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      style={{ backgroundColor: stableColour(seed) }}
      className={classNames('text-white', className)}
    >
      <g fill="none" stroke="currentColor" strokeOpacity="0.14" strokeWidth="14">
        <circle cx={40 + (turn % 90)} cy="104" r="46" />
        <circle cx={40 + (turn % 90)} cy="104" r="78" />
        <circle cx={300 - (turn % 60)} cy="-8" r="34" />
      </g>
      <path d="M157 68V30" stroke="currentColor" strokeWidth="4.5" strokeLinecap="round" />
      <path d="M159 31h28l-7.5 8.5 7.5 8.5h-28z" fill="currentColor" />
    </svg>
  )
}
