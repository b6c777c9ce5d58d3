// @vitest-environment node
import { expect, test } from 'vitest'
import type { ResultRow } from '#data/database.ts'
import { sumActivity, totalsFromRows, type Activity } from './sum-activity.ts'

type TotalRow = ResultRow<'activity_totals'>

function anEntry(some: Partial<Activity> = {}): Activity {
  return {
    id: crypto.randomUUID(),
    goal_id: 'a goal',
    stage: 'appointments',
    quantity: 1,
    premium: null,
    happened_on: '2026-11-23',
    ...some,
  }
}

test("the week's entries are summed per stage", () => {
  const rows = [anEntry(), anEntry({ quantity: 3 }), anEntry({ stage: 'sales' })]
  expect(sumActivity(rows)).toEqual({ appointments: 4, sales: 1 })
})

test('one day can be summed on its own', () => {
  const rows = [anEntry(), anEntry({ happened_on: '2026-11-24' })]
  expect(sumActivity(rows, '2026-11-24')).toEqual({ appointments: 1 })
})

test('totals keep the markets apart and sum the premium of sales', () => {
  const aTotal = (some: Partial<TotalRow>): TotalRow => ({
    stage: 'interviews',
    market: null,
    quantity: 0,
    premium: 0,
    with_premium: 0,
    ...some,
  })
  const totals = totalsFromRows([
    aTotal({ market: 'warm', quantity: 30 }),
    aTotal({ market: 'cold', quantity: 70 }),
    aTotal({ stage: 'sales', quantity: 9, premium: 4500, with_premium: 5 }),
  ])
  expect(totals).toMatchObject({
    interviews: { warm: 30, cold: 70 },
    sales: 9,
    premium: 4500,
    salesWithPremium: 5,
    appointments: 0,
  })
})
