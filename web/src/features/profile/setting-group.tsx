import { useId, type ReactNode } from 'react'
import { Card } from '#ui/card.tsx'

/** Related rows under a small title. */
export function SettingGroup({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid gap-2">
      <h2 id={id} className="px-1 text-note font-semibold text-muted">
        {title}
      </h2>
      <Card className="overflow-hidden p-0!">{children}</Card>
    </section>
  )
}
