import { fromMonth, WORKING_DAYS_PER_WEEK } from './periods.ts'
import type { PlannedStage, Stage } from './plan-goal.ts'
import { figureKind, roundForDisplay } from './round-for-display.ts'
import { workingDaysGone, type Day } from './work-week.ts'

export type Pace = 'behind' | 'on_track' | 'ahead'

export type StagePace = { stage: Stage; done: number; target: number; pace: Pace }

/** Count per stage this week; stages without entries are 0. */
export type WeekActivity = Partial<Record<Stage, number>>

const ORDER: Pace[] = ['behind', 'on_track', 'ahead']

/**
 * Behind: less than the finished working days required. Ahead: more than the end of today requires. Today
 * itself never makes a member late.
 */
export function paceOf(done: number, weekTarget: number, today: Day, start: Day): Pace {
  const { before, withToday } = workingDaysGone(today, start)
  // Tolerance for binary fractions, so that exactly 3/5 of a target counts as reached.
  if (done + 1e-9 < (weekTarget * before) / WORKING_DAYS_PER_WEEK) return 'behind'
  return done > (weekTarget * withToday) / WORKING_DAYS_PER_WEEK + 1e-9 ? 'ahead' : 'on_track'
}

/**
 * The week's figures for a goal: every stage a member counts (money and leaders follow from those). Measured
 * against the whole number that the member reads: 13 of 13 is done, though the goal asks for 13.3.
 */
export function weekPace(
  plan: PlannedStage[],
  activity: WeekActivity,
  today: Day,
  start: Day,
): StagePace[] {
  return plan
    .filter(({ stage }) => figureKind(stage) === 'count')
    .map(({ stage, month }) => {
      const target = roundForDisplay(stage, fromMonth(month, 'week'))
      const done = activity[stage] ?? 0
      return { stage, done, target, pace: paceOf(done, target, today, start) }
    })
}

/** The week's overall pace: the median stage, so that one late or lucky stage doesn't decide it. */
export function overallPace(stages: StagePace[]): Pace {
  const sorted = stages.map(({ pace }) => ORDER.indexOf(pace)).sort((a, b) => a - b)
  return ORDER[sorted[Math.floor((sorted.length - 1) / 2)] ?? 1]!
}

/** What to do next for the week: how many of which stage. */
export type NextStep = { stage: Stage; count: number }

/**
 * A member who is behind gets the first late stage and what it lacks to be on track again; others the first
 * stage with something left for today. The funnel's top comes first, because the rest follows from it.
 */
export function nextStep(stages: StagePace[], today: Day, start: Day): NextStep | undefined {
  const { before, withToday } = workingDaysGone(today, start)
  const days = overallPace(stages) === 'behind' ? before : withToday
  return stages
    .map(({ stage, done, target }) => ({
      stage,
      count: Math.ceil((target * days) / WORKING_DAYS_PER_WEEK - done - 1e-9),
    }))
    .find(({ count }) => count > 0)
}
