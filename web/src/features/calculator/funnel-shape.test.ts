// @vitest-environment node
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FUNNEL_WIDTH, funnelBands } from './funnel-shape.ts'
import { planGoal } from './plan-goal.ts'

test('the funnel starts at full width, narrows with the counts and ends in a spout for the money', () => {
  const bands = funnelBands(
    planGoal({ position: 'representative', metric: 'cash', value: 3000, period: 'month' }),
  )
  expect(bands.map(({ stage }) => stage)).toEqual([
    'appointments',
    'plans',
    'sales',
    'premium',
    'cash',
  ])
  expect(bands[0]!.top).toBe(FUNNEL_WIDTH)
  expect(bands[1]!.top).toBeGreaterThan(bands[2]!.top)
  expect(bands[3]!.top).toBe(bands[4]!.bottom)
})

test('no band is wider than the picture, whatever the figures', () => {
  const figure = fc.double({ min: 0, max: 1e12, noNaN: true })
  fc.assert(
    fc.property(fc.array(figure, { maxLength: 5 }), (figures) => {
      const bands = funnelBands(figures.map((month) => ({ stage: 'plans' as const, month })))
      for (const { top, bottom } of bands) {
        expect(top).toBeLessThanOrEqual(FUNNEL_WIDTH)
        expect(bottom).toBeLessThanOrEqual(top)
        expect(bottom).toBeGreaterThan(0)
      }
    }),
  )
})
