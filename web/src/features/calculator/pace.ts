import { fromMonth, WORKING_DAYS_PER_WEEK } from './periods.ts'
import type { PlannedStage, Stage } from './plan-goal.ts'
import { figureKind } from './round-for-display.ts'
import { workingDaysGone, type Day } from './work-week.ts'

export type Pace = 'behind' | 'on_track' | 'ahead'

export type StagePace = { stage: Stage; done: number; target: number; pace: Pace }

/** What was done this week per stage; a stage nobody logged is 0. */
export type WeekActivity = Partial<Record<Stage, number>>

const ORDER: Pace[] = ['behind', 'on_track', 'ahead']

/**
 * Behind: less than the working days already over called for. Ahead: more than today's end calls for.
 * Today itself is neither held against the member nor needed to be on track.
 */
export function paceOf(done: number, weekTarget: number, today: Day, start: Day): Pace {
  const { before, withToday } = workingDaysGone(today, start)
  // A hair of tolerance, so that 3/5 of a target reached exactly is not lost to binary fractions.
  if (done + 1e-9 < (weekTarget * before) / WORKING_DAYS_PER_WEEK) return 'behind'
  return done > (weekTarget * withToday) / WORKING_DAYS_PER_WEEK + 1e-9 ? 'ahead' : 'on_track'
}

/** The week's figures of a goal: every stage a member counts by hand (money and leaders follow from those). */
export function weekPace(
  plan: PlannedStage[],
  activity: WeekActivity,
  today: Day,
  start: Day,
): StagePace[] {
  return plan
    .filter(({ stage }) => figureKind(stage) === 'count')
    .map(({ stage, month }) => {
      const target = fromMonth(month, 'week')
      const done = activity[stage] ?? 0
      return { stage, done, target, pace: paceOf(done, target, today, start) }
    })
}

/** One word for the whole week: the middle of the stages, so that one late or lucky stage does not decide it. */
export function overallPace(stages: StagePace[]): Pace {
  const sorted = stages.map(({ pace }) => ORDER.indexOf(pace)).sort((a, b) => a - b)
  return ORDER[sorted[Math.floor((sorted.length - 1) / 2)] ?? 1]!
}
