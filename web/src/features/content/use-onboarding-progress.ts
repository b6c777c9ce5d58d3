import { useQuery } from '@tanstack/react-query'
import { useUserId } from '#data/session/session.ts'
import { newRepStartQuery } from './content-queries.ts'
import { onboardingProgress } from './onboarding-progress.ts'
import { progressQuery } from './onboarding-queries.ts'

/**
 * The member's progress, for the banner on Home; undefined until both the list and the completed steps are
 * known.
 */
export function useOnboardingProgress() {
  const { data: items } = useQuery(newRepStartQuery())
  const { data: ticks } = useQuery(progressQuery(useUserId()))
  if (!items || !ticks) return undefined
  const { done, total, next } = onboardingProgress(
    items,
    ticks.map(({ item_id }) => item_id),
  )
  return { done, total, nextTitle: next?.title }
}
