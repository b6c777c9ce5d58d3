// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { fromMonth, type Period } from './periods.ts'
import { planGoal, type Goal, type Stage } from './plan-goal.ts'
import { roundForDisplay } from './round-for-display.ts'

const GOLDEN_BASE = { period: 'month' } as const

function displayed(goal: Goal, period: Period = 'month'): Partial<Record<Stage, number>> {
  const plan = planGoal(goal)
  return Object.fromEntries(
    plan.map(({ stage, month }) => [stage, roundForDisplay(stage, fromMonth(month, period))]),
  )
}

describe("the calculator's reference values (product.md P62)", () => {
  const cash: Goal = { ...GOLDEN_BASE, position: 'representative', metric: 'cash', value: 3000 }

  test('a Representative who wants 3,000 cash a month needs 53 appointments a month', () => {
    expect(displayed(cash)).toEqual({
      appointments: 53,
      plans: 33,
      sales: 20,
      premium: 16000,
      cash: 3000,
    })
  })

  test('… 13 a week and 3 a day', () => {
    expect(displayed(cash, 'week')).toEqual({
      appointments: 13,
      plans: 8,
      sales: 5,
      premium: 4000,
      cash: 750,
    })
    expect(displayed(cash, 'day')).toEqual({
      appointments: 3,
      plans: 2,
      sales: 1,
      premium: 800,
      cash: 150,
    })
  })

  test('a District Leader with 1,000 premium a week has 13 appointments, 8 plans, 5 sales and 1,500 cash a month', () => {
    const goal: Goal = {
      position: 'district_leader',
      metric: 'premium',
      value: 1000,
      period: 'week',
    }
    expect(displayed(goal)).toEqual({
      appointments: 13,
      plans: 8,
      sales: 5,
      premium: 4000,
      cash: 1500,
    })
  })

  test('a Regional VP with 2 appointments a day has 40, 25 plans, 15 sales, 12,000 premium and 9,900 cash', () => {
    const goal: Goal = {
      position: 'regional_vp',
      metric: 'appointments',
      value: 2,
      period: 'day',
    }
    expect(displayed(goal)).toEqual({
      appointments: 40,
      plans: 25,
      sales: 15,
      premium: 12000,
      cash: 9900,
    })
  })

  test('100 warm interviews a month give 40 shows, 13 recruits and 1.3 future leaders', () => {
    const goal: Goal = { ...GOLDEN_BASE, position: 'representative', metric: 'warm', value: 100 }
    expect(displayed(goal)).toEqual({ interviews: 100, shows: 40, recruits: 13, leaders: 1.3 })
  })

  test('100 cold interviews a month give 33 shows, 22 intros, 7 recruits and 0.7 future leaders', () => {
    const goal: Goal = { ...GOLDEN_BASE, position: 'representative', metric: 'cold', value: 100 }
    expect(displayed(goal)).toEqual({
      interviews: 100,
      shows: 33,
      intros: 22,
      recruits: 7,
      leaders: 0.7,
    })
  })
})

test('the rates are 25%, 50%, 60%, 70% and 110%', () => {
  const cashFor = (position: Goal['position']) =>
    displayed({ ...GOLDEN_BASE, position, metric: 'premium', value: 1000 }).cash
  expect(cashFor('representative')).toBe(188)
  expect(cashFor('district_leader')).toBe(375)
  expect(cashFor('division_leader')).toBe(450)
  expect(cashFor('regional_leader')).toBe(525)
  expect(cashFor('regional_vp')).toBe(825)
})

test('the position does not change recruiting numbers (product.md P59)', () => {
  const warm: Goal = { ...GOLDEN_BASE, position: 'representative', metric: 'warm', value: 40 }
  expect(planGoal({ ...warm, position: 'regional_vp' })).toEqual(planGoal(warm))
})

test('a goal in recruits or leaders yields the interviews it takes', () => {
  const recruits: Goal = {
    ...GOLDEN_BASE,
    position: 'representative',
    metric: 'warm_recruits',
    value: 4,
  }
  expect(displayed(recruits)).toMatchObject({ interviews: 30, shows: 12, recruits: 4 })
  expect(displayed({ ...recruits, metric: 'cold_leaders', value: 1 })).toMatchObject({
    interviews: 139,
    recruits: 10,
    leaders: 1,
  })
})

test("a member's own ratios replace only the defaults they name", () => {
  const goal: Goal = {
    ...GOLDEN_BASE,
    position: 'district_leader',
    metric: 'appointments',
    value: 40,
    ratios: { salesPerAppointment: 0.5 },
  }
  expect(displayed(goal)).toEqual({
    appointments: 40,
    plans: 25,
    sales: 20,
    premium: 16000,
    cash: 6000,
  })
})

test('an exact half rounds up despite binary fractions', () => {
  expect(roundForDisplay('sales', 7.499999999999999)).toBe(8)
  expect(roundForDisplay('leaders', 0.15)).toBe(0.2)
  expect(roundForDisplay('leaders', 1.32)).toBe(1.3)
})
