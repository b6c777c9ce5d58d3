import { m } from '#lib/messages/messages.js'
import { classNames } from '#ui/class-names.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { ThreadBar } from './thread-header.tsx'

/** A thread of which only the way back is known. */
export function LoadingThread() {
  return (
    <div className="flex h-full flex-col">
      <ThreadBar>
        <div className="flex min-h-target items-center gap-3 px-2">
          <Skeleton className="size-9.5 rounded-full" />
          <Skeleton className="h-4 w-36" />
        </div>
      </ThreadBar>
      <div className="min-h-0 flex-1">
        <LoadingMessages />
      </div>
    </div>
  )
}

/** Widths and sides of bubbles that are still to come. */
const BUBBLES = [
  'h-10 w-3/5',
  'h-16 w-2/3',
  'h-10 w-2/5 justify-self-end',
  'h-10 w-1/2',
  'h-16 w-3/5 justify-self-end',
]

/** Placeholders for the newest messages, announced once as loading. */
export function LoadingMessages() {
  return (
    <div role="status" className="grid h-full content-end gap-3 overflow-hidden px-thread pb-7">
      <span className="sr-only">{m.ui_loading()}</span>
      {BUBBLES.map((look) => (
        <Skeleton key={look} className={classNames('max-w-80 rounded-bubble', look)} />
      ))}
    </div>
  )
}
