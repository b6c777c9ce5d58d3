import { useId, type ReactNode } from 'react'

/** A part of a screen under its own heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className="grid grid-cols-1 gap-2.5">
      <h2 id={titleId} className="font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}
