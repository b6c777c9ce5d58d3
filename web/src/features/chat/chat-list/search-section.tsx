import type { ReactNode } from 'react'

/** One kind of what a search of the chat list found. */
export function SearchSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="px-3 pt-2 pb-3">
      <h2 className="px-2 pb-1 text-note font-semibold text-muted">{title}</h2>
      <ul>{children}</ul>
    </section>
  )
}
