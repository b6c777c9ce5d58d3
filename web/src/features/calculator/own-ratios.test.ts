// @vitest-environment node
import { expect, test } from 'vitest'
import { ownRatios, type ActivityTotals } from './own-ratios.ts'

function totals(some: Partial<ActivityTotals> = {}): ActivityTotals {
  return {
    appointments: 0,
    plans: 0,
    sales: 0,
    premium: 0,
    salesWithPremium: 0,
    interviews: { warm: 0, cold: 0 },
    shows: { warm: 0, cold: 0 },
    intros: 0,
    recruits: { warm: 0, cold: 0 },
    ...some,
  }
}

test('no ratio is offered before enough is logged', () => {
  expect(ownRatios(totals())).toEqual({})
  expect(ownRatios(totals({ appointments: 19, plans: 12, sales: 8 }))).toEqual({})
})

test('from twenty appointments on, plans and sales per appointment are offered', () => {
  expect(ownRatios(totals({ appointments: 20, plans: 14, sales: 9 }))).toEqual({
    plansPerAppointment: 0.7,
    salesPerAppointment: 0.45,
  })
})

test('a ratio from fewer than three results is not offered', () => {
  expect(ownRatios(totals({ appointments: 40, plans: 20, sales: 2 }))).toEqual({
    plansPerAppointment: 0.5,
  })
})

test('premium per sale averages only the sales that have a premium', () => {
  expect(ownRatios(totals({ premium: 3000, salesWithPremium: 3, sales: 10 }))).toEqual({
    premiumPerSale: 1000,
  })
})

test('each market has its own ratios, and no share exceeds 100%', () => {
  const logged = totals({
    interviews: { warm: 30, cold: 100 },
    shows: { warm: 33, cold: 25 },
    recruits: { warm: 6, cold: 4 },
    intros: 10,
  })
  expect(ownRatios(logged)).toEqual({
    warmShows: 1,
    warmRecruits: 0.18,
    coldShows: 0.25,
    coldIntros: 0.4,
  })
})

test('a very rare result never becomes a share of zero, which would have no inverse', () => {
  expect(ownRatios(totals({ appointments: 5000, sales: 3 }))).toEqual({ salesPerAppointment: 0.01 })
})
