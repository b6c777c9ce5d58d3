import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, type ReactNode } from 'react'
import { houseRulesQuery } from '#domain/house-rules.ts'
import { SplashScreen } from './splash-screen.tsx'

// Only after an admin asked everybody again.
const AcceptRules = lazy(async () => ({
  default: (await import('#features/safety/house-rules-screen.tsx')).AcceptRules,
}))

/** Lets through whom the team's house rules need not be shown; without a response, everybody. */
export function RulesGate({ children }: { children: ReactNode }) {
  const { data: rules } = useQuery(houseRulesQuery())
  if (!rules?.must_accept) return children
  return (
    <Suspense fallback={<SplashScreen />}>
      <AcceptRules rules={rules} />
    </Suspense>
  )
}
