import { Children, type ReactNode } from 'react'

/** A list of cards: one column on a phone, as many as fit on a large display. */
export function CardGrid({ children }: { children: ReactNode }) {
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-stack">
      {Children.map(children, (card) => (
        <li className="grid min-w-0 grid-cols-1">{card}</li>
      ))}
    </ul>
  )
}
