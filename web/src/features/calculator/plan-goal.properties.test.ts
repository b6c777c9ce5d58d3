import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BUILDING_METRICS, PRODUCT_METRICS, type Metric } from './metrics.ts'
import { LARGEST_AMOUNT, parseAmount } from './parse-amount.ts'
import { fromMonth, PERIODS, toMonth } from './periods.ts'
import { planGoal, type Goal, type Stage } from './plan-goal.ts'
import { POSITIONS } from './positions.ts'
import { interviewsForRecruits, recruitingFromInterviews } from './recruiting-plan.ts'
import { planSales, salesFromAppointments, type SalesMetric } from './sales-plan.ts'

const amount = fc.double({ min: 0, max: LARGEST_AMOUNT, noNaN: true })
const rate = fc.constantFrom(...POSITIONS.map((each) => each.rate))
const market = fc.constantFrom('warm' as const, 'cold' as const)
const goal: fc.Arbitrary<Goal> = fc.record({
  position: fc.constantFrom(...POSITIONS.map((each) => each.id)),
  metric: fc.constantFrom<Metric>(...PRODUCT_METRICS, ...BUILDING_METRICS),
  value: amount,
  period: fc.constantFrom(...PERIODS),
})

function isClose(actual: number, expected: number): boolean {
  return Math.abs(actual - expected) <= Math.max(Math.abs(expected) * 1e-9, 1e-9)
}

test('before rounding, a month is 4 weeks and 20 days for every stage of every goal', () => {
  fc.assert(
    fc.property(goal, (aGoal) => {
      for (const { month } of planGoal(aGoal)) {
        expect(isClose(4 * fromMonth(month, 'week'), month)).toBe(true)
        expect(isClose(20 * fromMonth(month, 'day'), month)).toBe(true)
      }
    }),
  )
})

test('the same goal per day, per week or per month has the same results', () => {
  fc.assert(
    fc.property(goal, (aGoal) => {
      const perMonth = planGoal({
        ...aGoal,
        value: toMonth(aGoal.value, aGoal.period),
        period: 'month',
      })
      expect(planGoal(aGoal)).toEqual(perMonth)
    }),
  )
})

test('solving backwards from premium or cash, then forwards, returns the goal', () => {
  const metric = fc.constantFrom<SalesMetric>('appointments', 'premium', 'cash')
  fc.assert(
    fc.property(metric, amount, rate, (aMetric, value, aRate) => {
      const plan = planSales(aMetric, value, aRate)
      expect(isClose(plan[aMetric], value)).toBe(true)
      const forward = salesFromAppointments(plan.appointments, aRate)
      expect(isClose(forward[aMetric], value)).toBe(true)
    }),
  )
})

test('the interviews needed for some recruits yield exactly those recruits, in both markets', () => {
  fc.assert(
    fc.property(market, amount, (aMarket, recruits) => {
      const interviews = interviewsForRecruits(aMarket, recruits)
      expect(isClose(recruitingFromInterviews(aMarket, interviews).recruits, recruits)).toBe(true)
    }),
  )
})

test('the stage a goal is solved for shows the number that was entered', () => {
  const solvedStage: Record<Metric, Stage> = {
    appointments: 'appointments',
    premium: 'premium',
    cash: 'cash',
    warm: 'interviews',
    cold: 'interviews',
    warm_recruits: 'recruits',
    cold_recruits: 'recruits',
    warm_leaders: 'leaders',
    cold_leaders: 'leaders',
  }
  fc.assert(
    fc.property(goal, (aGoal) => {
      const stage = planGoal(aGoal).find((each) => each.stage === solvedStage[aGoal.metric])
      expect(isClose(fromMonth(stage!.month, aGoal.period), aGoal.value)).toBe(true)
    }),
  )
})

test('a bigger goal never requires less of anything', () => {
  fc.assert(
    fc.property(goal, amount, (aGoal, more) => {
      const smaller = planGoal(aGoal)
      const bigger = planGoal({ ...aGoal, value: Math.min(aGoal.value + more, LARGEST_AMOUNT) })
      for (const [index, { month }] of smaller.entries()) {
        expect(bigger[index]!.month).toBeGreaterThanOrEqual(month)
      }
    }),
  )
})

test('a higher position never needs more appointments for the same cash', () => {
  fc.assert(
    fc.property(amount, (cash) => {
      const needed = POSITIONS.map((each) => planSales('cash', cash, each.rate).appointments)
      expect(needed).toEqual([...needed].sort((a, b) => b - a))
    }),
  )
})

test('no input causes NaN, infinity, a negative figure or a crash', () => {
  const typed = fc.oneof(
    fc.string(),
    fc.double().map(String),
    fc.integer().map((each) => each.toLocaleString('en-US')),
    fc.constantFrom(
      '',
      ' ',
      '.',
      ',',
      '-',
      '-0',
      '1e9',
      'NaN',
      'Infinity',
      '９',
      '(5)',
      '1,2',
      '$',
    ),
  )
  fc.assert(
    fc.property(typed, goal, (text, aGoal) => {
      const parsed = parseAmount(text)
      if (parsed.state !== 'usable') return
      for (const { month } of planGoal({ ...aGoal, value: parsed.value })) {
        expect(Number.isFinite(month) && month >= 0).toBe(true)
      }
    }),
    { numRuns: 1000 },
  )
})
