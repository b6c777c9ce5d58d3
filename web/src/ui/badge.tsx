import { classNames } from './class-names.ts'

const CAP = 99

/** A count, capped: 99+ above 99 (product.md P112). */
export function cappedCount(count: number) {
  return count > CAP ? `${CAP}+` : String(count)
}

/** A red count; renders nothing for zero. */
export function Badge({
  count,
  label,
  className,
}: {
  count: number
  label?: string
  className?: string
}) {
  if (count <= 0) return null
  return (
    <span
      className={classNames(
        'inline-block min-w-5.5 rounded-full bg-danger px-1.5 py-px text-center text-caption font-bold text-danger-ink tabular-nums',
        className,
      )}
    >
      <span aria-hidden={label ? true : undefined}>{cappedCount(count)}</span>
      {label && <span className="sr-only">{label}</span>}
    </span>
  )
}
