// @vitest-environment node
import { expect, test } from 'vitest'
import { nextStep, overallPace, paceOf, weekPace } from './pace.ts'
import { planGoal } from './plan-goal.ts'
import { paceText } from './week-figures.tsx'
import { addDays, dayOf, mondayOf, workingDaysGone } from './work-week.ts'

const MONDAY = '2026-11-23'
const WEDNESDAY = '2026-11-25'
const SUNDAY = '2026-11-29'
/** A goal from long before the week. */
const EARLIER = '2026-10-01'

test('a week runs from Monday to Sunday and has five working days', () => {
  expect(mondayOf(MONDAY)).toBe(MONDAY)
  expect(mondayOf(SUNDAY)).toBe(MONDAY)
  expect(workingDaysGone(MONDAY, EARLIER)).toEqual({ before: 0, withToday: 1 })
  expect(workingDaysGone(WEDNESDAY, EARLIER)).toEqual({ before: 2, withToday: 3 })
  expect(workingDaysGone(SUNDAY, EARLIER)).toEqual({ before: 5, withToday: 5 })
})

test('days advance correctly across month ends, year ends and clock changes', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2026-03-08', 1)).toBe('2026-03-09')
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
  expect(dayOf(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05')
})

test('on Monday morning nobody is behind', () => {
  expect(paceOf(0, 10, MONDAY, EARLIER)).toBe('on_track')
})

test('on Wednesday two days count: fewer is behind, up to three is on track, more is ahead', () => {
  expect(paceOf(3, 10, WEDNESDAY, EARLIER)).toBe('behind')
  expect(paceOf(4, 10, WEDNESDAY, EARLIER)).toBe('on_track')
  expect(paceOf(6, 10, WEDNESDAY, EARLIER)).toBe('on_track')
  expect(paceOf(7, 10, WEDNESDAY, EARLIER)).toBe('ahead')
})

test('on the weekend the whole week counts', () => {
  expect(paceOf(9, 10, SUNDAY, EARLIER)).toBe('behind')
  expect(paceOf(10, 10, SUNDAY, EARLIER)).toBe('on_track')
  expect(paceOf(11, 10, SUNDAY, EARLIER)).toBe('ahead')
})

test('a goal of zero is on track, or ahead once something is done', () => {
  expect(paceOf(0, 0, WEDNESDAY, EARLIER)).toBe('on_track')
  expect(paceOf(1, 0, WEDNESDAY, EARLIER)).toBe('ahead')
})

test('the week shows the stages a member counts, against a quarter of the month', () => {
  const plan = planGoal({
    position: 'representative',
    metric: 'cash',
    value: 3000,
    period: 'month',
  })
  const week = weekPace(plan, { appointments: 9, plans: 6, sales: 3 }, '2026-11-26', EARLIER)
  expect(week.map(({ stage, done, target }) => [stage, done, target])).toEqual([
    ['appointments', 9, 13],
    ['plans', 6, 8],
    ['sales', 3, 5],
  ])
  expect(overallPace(week)).toBe('on_track')
})

test('the steps to the goal add up with the figures shown', () => {
  const plan = planGoal({
    position: 'representative',
    metric: 'cash',
    value: 3000,
    period: 'month',
  })
  const late = weekPace(plan, { appointments: 2, plans: 1 }, SUNDAY, EARLIER)
  expect(nextStep(late, SUNDAY, EARLIER)).toEqual({ stage: 'appointments', count: 11 })
  const done = weekPace(plan, { appointments: 13, plans: 8, sales: 5 }, SUNDAY, EARLIER)
  expect(overallPace(done)).toBe('on_track')
  expect(nextStep(done, SUNDAY, EARLIER)).toBeUndefined()
})

test('one late stage does not make the week late', () => {
  const stage = (pace: 'behind' | 'on_track' | 'ahead') =>
    ({ stage: 'sales', done: 0, target: 0, pace }) as const
  expect(overallPace([stage('behind'), stage('on_track'), stage('ahead')])).toBe('on_track')
  expect(overallPace([stage('behind'), stage('behind'), stage('ahead')])).toBe('behind')
  expect(overallPace([])).toBe('on_track')
})

test('nobody is behind on a goal before it was set', () => {
  expect(paceOf(0, 10, SUNDAY, SUNDAY)).toBe('on_track')
  expect(paceOf(0, 10, WEDNESDAY, WEDNESDAY)).toBe('on_track')
  expect(paceOf(1, 10, '2026-11-26', WEDNESDAY)).toBe('behind')
  expect(paceOf(2, 10, '2026-11-26', WEDNESDAY)).toBe('on_track')
})

test('who is behind reads what puts them back on pace, from the top of the funnel', () => {
  const stage = (name: 'appointments' | 'plans', done: number, target: number) => ({
    stage: name,
    done,
    target,
    pace: paceOf(done, target, WEDNESDAY, EARLIER),
  })
  const late = [stage('appointments', 1, 10), stage('plans', 0, 6)]
  expect(nextStep(late, WEDNESDAY, EARLIER)).toEqual({ stage: 'appointments', count: 3 })
  expect(paceText('behind', nextStep(late, WEDNESDAY, EARLIER))).toBe(
    "Appointments: 3 more and you're back on pace.",
  )
  const onTrack = [stage('appointments', 6, 10), stage('plans', 3, 6)]
  expect(paceText('on_track', nextStep(onTrack, WEDNESDAY, EARLIER))).toBe(
    "You're on track. Plans: 1 more today.",
  )
  const enough = [stage('appointments', 6, 10), stage('plans', 4, 6)]
  expect(nextStep(enough, WEDNESDAY, EARLIER)).toBeUndefined()
  expect(paceText('on_track', undefined)).toBe("You're on track this week.")
})
