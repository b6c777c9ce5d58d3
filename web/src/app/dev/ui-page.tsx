import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from '#lib/query-client.ts'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { Buttons, Choices, Fields } from './ui-controls.tsx'
import { Dialogs, Pictures, Surfaces } from './ui-surfaces.tsx'

const REFRESHED = ['nothing']

/** Every part of `ui/` in every state, at /_ui while developing. The built app does not have it. */
export function UiPage() {
  return (
    <QueryClientProvider client={queryClient}>
      <main className="h-dvh overflow-y-auto">
        <Screen
          wide
          refreshes={REFRESHED}
          header={<PageHeader title="Parts" subtitle="docs/design-system.md" back="/" />}
        >
          <Part name="Buttons" children={<Buttons />} />
          <Part name="Choices" children={<Choices />} />
          <Part name="Fields" children={<Fields />} />
          <Part name="Pictures" children={<Pictures />} />
          <Part name="Surfaces and states" children={<Surfaces />} />
          <Part name="Dialogs and toasts" children={<Dialogs />} />
        </Screen>
      </main>
    </QueryClientProvider>
  )
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 gap-stack py-4">
      <h2 className="text-heading font-bold">{name}</h2>
      {children}
    </section>
  )
}
