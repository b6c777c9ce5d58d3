import type { ReactNode } from 'react'

/** `li`s in a card, with lines between them. Focus rings are drawn inside the rows, where the card cuts nothing off. */
export function RowList({ children }: { children: ReactNode }) {
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-card shadow-card [&_:focus-visible]:-outline-offset-2 [&>:first-child>:focus-visible]:rounded-t-card [&>:last-child>:focus-visible]:rounded-b-card">
      {children}
    </ul>
  )
}
