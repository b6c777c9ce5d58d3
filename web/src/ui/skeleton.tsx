import { m } from '#lib/messages/messages.js'
import { classNames } from './class-names.ts'

/** A gray placeholder the size of the coming content. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div
      aria-hidden="true"
      className={classNames('animate-pulse rounded-field bg-line', className)}
    />
  )
}

// They fill a sheet of the tallest phone.
const MOST_ROWS = 12

/** Placeholders for a list of rows, announced once as loading. */
export function SkeletonRows({ count = 6 }: { count?: number }) {
  return (
    <div role="status" className="grid gap-4 py-2">
      <span className="sr-only">{m.ui_loading()}</span>
      {Array.from({ length: Math.min(count, MOST_ROWS) }, (_, row) => (
        <div key={row} className="flex items-center gap-3">
          <Skeleton className="size-11 rounded-full" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="h-3.5 w-4/5" />
          </div>
        </div>
      ))}
    </div>
  )
}

/** Placeholders for a list of cards, announced once as loading. */
export function SkeletonCards({
  count = 3,
  className = 'h-32',
}: {
  count?: number
  className?: string
}) {
  return (
    <div role="status" className="grid gap-3.5">
      <span className="sr-only">{m.ui_loading()}</span>
      {Array.from({ length: count }, (_, card) => (
        <Skeleton key={card} className={classNames('rounded-card', className)} />
      ))}
    </div>
  )
}
