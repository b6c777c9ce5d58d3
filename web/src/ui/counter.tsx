import { m } from '#lib/messages/messages.js'

type CounterProps = { count: number; limit: number }

/** How much of a field's limit is used; red above it. */
export function Counter({ count, limit }: CounterProps) {
  return (
    <span className={count > limit ? 'font-medium text-danger-text' : undefined}>
      {m.ui_counter({ count, limit })}
    </span>
  )
}
