import { useQuery } from '@tanstack/react-query'
import { Target } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { useUserId } from '#data/session/session.ts'
import { m } from '#lib/messages/messages.js'
import { Button, buttonLook } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { currentGoalQuery, weekActivityQuery, type SavedGoal } from './goal-queries.ts'
import { nextStep, overallPace, weekPace } from './pace.ts'
import { planGoal } from './plan-goal.ts'
import { sumActivity, type Activity } from './sum-activity.ts'
import { useToday } from './use-today.ts'
import { PaceLine, WeekFigures } from './week-figures.tsx'

// Home must be fast; the dialogs are heavy and load on first press.
const loadSheet = async () => ({
  default: (await import('./log-activity-sheet.tsx')).LogActivitySheet,
})
const LogActivitySheet = lazy(loadSheet)

/** This week against the member's goal, and the first of the two taps that log an activity. */
export function ThisWeekCard() {
  const today = useToday()
  const goal = useQuery(currentGoalQuery())
  const activity = useQuery(weekActivityQuery(useUserId(), today))
  if (goal.data === null) return <NoGoal />
  if (goal.data && activity.data) {
    return <Week goal={goal.data} activity={activity.data} today={today} />
  }
  if (goal.error || activity.error) {
    return <LoadingFailed onRetry={() => void Promise.all([goal.refetch(), activity.refetch()])} />
  }
  return (
    <Card>
      <p role="status" className="sr-only">
        {m.calculator_loading()}
      </p>
      <Skeleton className="h-28" />
    </Card>
  )
}

function Week({ goal, activity, today }: { goal: SavedGoal; activity: Activity[]; today: string }) {
  const [isLogging, setIsLogging] = useState(false)
  const stages = weekPace(planGoal(goal), sumActivity(activity), today, goal.savedOn)
  return (
    <Card>
      <h2 className="font-semibold">{m.calculator_week_title()}</h2>
      <WeekFigures stages={stages} />
      <PaceLine pace={overallPace(stages)} next={nextStep(stages, today, goal.savedOn)} />
      <Button
        variant="tint"
        className="mt-3 w-full"
        onPointerEnter={() => void loadSheet().catch(() => undefined)}
        onClick={() => setIsLogging(true)}
      >
        {m.calculator_log()}
      </Button>
      {isLogging && (
        <Suspense>
          <LogActivitySheet goal={goal} today={today} open onClose={() => setIsLogging(false)} />
        </Suspense>
      )}
    </Card>
  )
}

function NoGoal() {
  return (
    <Card className="flex flex-wrap items-center gap-3.5">
      <span className="grid size-11 flex-none place-items-center rounded-field bg-tint text-primary">
        <Target aria-hidden="true" className="size-5.5" />
      </span>
      <div className="flex-1 basis-48">
        <h2 className="font-semibold">{m.calculator_goal_none_title()}</h2>
        <p className="text-small text-muted">{m.calculator_goal_none_text()}</p>
      </div>
      <Link to="/calculator" className={buttonLook('tint')}>
        {m.calculator_goal_set()}
      </Link>
    </Card>
  )
}

function LoadingFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <Card role="alert" className="flex flex-wrap items-center gap-3">
      <p className="flex-1 basis-40">{m.calculator_goal_load_error()}</p>
      <Button variant="tint" onClick={onRetry}>
        {m.calculator_try_again()}
      </Button>
    </Card>
  )
}
