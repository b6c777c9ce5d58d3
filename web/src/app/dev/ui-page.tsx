import { QueryClientProvider } from '@tanstack/react-query'
import { queryClient } from '#data/query-client.ts'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { Part } from './example.tsx'
import { Buttons } from './ui-buttons.tsx'
import { Dialogs } from './ui-dialogs.tsx'
import { Choices, Fields } from './ui-fields.tsx'
import { Pictures, States, Surfaces } from './ui-surfaces.tsx'
import { ThemeSwitch, Tokens } from './ui-tokens.tsx'

const REFRESHED = ['nothing']

/** Every part of `ui/` in every state, at /_ui during development. Not in the built app. */
export function UiPage() {
  return (
    <QueryClientProvider client={queryClient}>
      <main className="h-dvh overflow-y-auto">
        <Screen
          wide
          refreshes={REFRESHED}
          header={<PageHeader title="Parts" subtitle="docs/design-system.md" back="/" />}
        >
          <ThemeSwitch />
          <Part name="Tokens" children={<Tokens />} />
          <Part name="Buttons" children={<Buttons />} />
          <Part name="Choices" children={<Choices />} />
          <Part name="Fields" children={<Fields />} />
          <Part name="Pictures" children={<Pictures />} />
          <Part name="Surfaces" children={<Surfaces />} />
          <Part name="States" children={<States />} />
          <Part name="Dialogs and toasts" children={<Dialogs />} />
        </Screen>
      </main>
    </QueryClientProvider>
  )
}
