import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { queryClient } from '#data/query-client.ts'
import { useSession } from '#data/session/session.ts'
import { houseRulesQuery } from '#domain/house-rules.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'
import { RulesText } from './rules-text.tsx'

// In one file with it: what the login loads first lists every file.
export { AcceptRules } from './accept-rules.tsx'

// For admins alone.
const EditRules = lazy(async () => ({ default: (await import('./edit-rules.tsx')).EditRules }))

/** The team's house rules, for members and for visitors who are about to sign up. */
export function HouseRulesScreen() {
  return (
    // Screens of visitors have none of their own.
    <QueryClientProvider client={queryClient}>
      <main>
        <HouseRules />
      </main>
    </QueryClientProvider>
  )
}

function HouseRules() {
  const { data: rules, error, refetch } = useQuery(houseRulesQuery())
  const [isEditing, setIsEditing] = useState(false)
  // Admins come from Admin, members from Profile, visitors from signing up.
  const back = useWayBack(useSession().status === 'signed-in' ? '/profile' : '/')
  return (
    <Screen header={<PageHeader title={m.safety_rules()} back={back} />}>
      {!rules && error && (
        <LoadError
          error={error}
          describe={(message) => m.safety_rules_load_failed({ message })}
          onRetry={() => void refetch()}
        />
      )}
      {!rules && !error && <SkeletonCards count={1} className="h-96" />}
      {rules && (
        <Card className="grid gap-4">
          <RulesText {...rules} />
        </Card>
      )}
      {rules?.may_edit && (
        <Button variant="tint" onClick={() => setIsEditing(true)}>
          {m.safety_rules_edit()}
        </Button>
      )}
      {rules && isEditing && (
        <Suspense>
          <EditRules rules={rules} onClose={() => setIsEditing(false)} />
        </Suspense>
      )}
    </Screen>
  )
}

/** Back to the page before, whichever it was; who came by a link goes to `otherwise`. */
function useWayBack(otherwise: string): string | (() => void) {
  const navigate = useNavigate()
  // Read again on each page.
  useLocation()
  // The router numbers the pages of this tab from 0.
  const { idx = 0 } = (history.state ?? {}) as { idx?: number }
  return idx > 0 ? () => void navigate(-1) : otherwise
}
