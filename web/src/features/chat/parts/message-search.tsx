import { m } from '#lib/messages/messages.js'
import { classNames } from '#ui/class-names.ts'

/** Nothing matches what was typed: these differ by a letter. */
export function SimilarOnly({ className }: { className?: string }) {
  return (
    <p className={classNames('py-2 text-small text-muted', className)}>
      {m.search_similar({ group: m.search_messages() })}
    </p>
  )
}

/** The words of a search, to be marked in what was found. */
export function searchWords(search: string): string[] {
  return search
    .replace(/[%*_\\"(),:]/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 5)
}
