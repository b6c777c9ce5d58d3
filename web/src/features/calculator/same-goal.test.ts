import { expect, test } from 'vitest'
import type { Goal } from './plan-goal.ts'
import { isSameGoal } from './same-goal.ts'

const goal: Goal = { position: 'representative', metric: 'cash', value: 3000, period: 'month' }

test('a goal is itself, however its ratios are ordered or left out', () => {
  expect(isSameGoal(goal, { ...goal, ratios: {} })).toBe(true)
  const oneWay = { ...goal, ratios: { warmShows: 0.5, coldShows: 0.2 } }
  expect(isSameGoal(oneWay, { ...goal, ratios: { coldShows: 0.2, warmShows: 0.5 } })).toBe(true)
})

test('another number, period or ratio is another goal', () => {
  expect(isSameGoal(goal, { ...goal, value: 3001 })).toBe(false)
  expect(isSameGoal(goal, { ...goal, period: 'week' })).toBe(false)
  expect(isSameGoal(goal, { ...goal, ratios: { premiumPerSale: 900 } })).toBe(false)
})
