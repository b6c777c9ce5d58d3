import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { buttonLook } from '#ui/button.tsx'
import { goalPath } from './goal-link.ts'
import { currentGoalQuery } from './goal-queries.ts'
import { ThisWeekCard } from './this-week-card.tsx'

/** The way back to a saved goal from the wizard's first question. Without a goal the wizard itself is the way. */
export function MyGoalLink() {
  const { data: goal } = useQuery(currentGoalQuery())
  if (!goal) return null
  return (
    <section aria-label={m.calculator_goal_title()} className="mt-4 grid gap-3.5">
      <ThisWeekCard />
      <Link to={goalPath(goal)} className={buttonLook('ghost', 'lg')}>
        {m.calculator_goal_open()}
      </Link>
    </section>
  )
}
