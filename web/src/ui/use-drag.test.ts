// @vitest-environment node
import { expect, test } from 'vitest'
import { edgeStep, moved } from './use-drag.ts'

test('an item moves up, down and no further than the ends', () => {
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
  expect(moved(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c'])
  expect(moved(['a', 'b', 'c'], 2, 9)).toEqual(['a', 'b', 'c'])
})

test('a row held at an edge scrolls there, the faster the closer, and nowhere else', () => {
  expect(edgeStep(400, 100, 800)).toBe(0)
  expect(edgeStep(172, 100, 800)).toBe(0)
  expect(edgeStep(799, 100, 800)).toBe(14)
  expect(edgeStep(1200, 100, 800)).toBe(14)
  expect(edgeStep(740, 100, 800)).toBeLessThan(edgeStep(780, 100, 800))
  expect(edgeStep(101, 100, 800)).toBe(-14)
  expect(edgeStep(160, 100, 800)).toBeGreaterThan(edgeStep(110, 100, 800))
})
