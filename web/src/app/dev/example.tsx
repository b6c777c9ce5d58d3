import type { ReactNode } from 'react'

/** A section of the page. */
export function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 gap-stack border-t border-line py-section">
      <h2 className="text-heading font-bold">{name}</h2>
      <div className="grid grid-cols-1 gap-section lg:grid-cols-2">{children}</div>
    </section>
  )
}

type ExampleProps = {
  /** The component's file name. */
  name: string
  children: ReactNode
  /** Shows the states side by side instead of stacked. */
  inRow?: boolean
  wide?: boolean
}

/** One component in its states. */
export function Example({ name, children, inRow, wide }: ExampleProps) {
  return (
    <div className={`grid min-w-0 grid-cols-1 content-start gap-2 ${wide ? 'lg:col-span-2' : ''}`}>
      <h3 className="text-note font-semibold text-muted">{name}</h3>
      <div className={inRow ? 'flex flex-wrap items-center gap-3' : 'grid grid-cols-1 gap-stack'}>
        {children}
      </div>
    </div>
  )
}
