import { expect, test } from 'vitest'
import type { Goal } from './plan-goal.ts'
import { isSameGoal } from './save-goal.tsx'

const goal: Goal = { position: 'representative', metric: 'cash', value: 3000, period: 'month' }

test('a goal equals itself, whatever the order of its ratios and whether defaults are spelled out', () => {
  expect(isSameGoal(goal, { ...goal, ratios: {} })).toBe(true)
  const oneWay = { ...goal, ratios: { warmShows: 0.5, coldShows: 0.2 } }
  expect(isSameGoal(oneWay, { ...goal, ratios: { coldShows: 0.2, warmShows: 0.5 } })).toBe(true)
})

test('a goal with another number, period or ratio is a different goal', () => {
  expect(isSameGoal(goal, { ...goal, value: 3001 })).toBe(false)
  expect(isSameGoal(goal, { ...goal, period: 'week' })).toBe(false)
  expect(isSameGoal(goal, { ...goal, ratios: { premiumPerSale: 900 } })).toBe(false)
})
