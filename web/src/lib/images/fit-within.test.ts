// @vitest-environment node
import { expect, test } from 'vitest'
import { fitWithin } from './fit-within.ts'

test('a large image shrinks proportionally', () => {
  expect(fitWithin({ width: 4000, height: 3000 }, 1600)).toEqual({ width: 1600, height: 1200 })
  expect(fitWithin({ width: 3000, height: 4000 }, 1600)).toEqual({ width: 1200, height: 1600 })
})

test('a small image keeps its size', () => {
  expect(fitWithin({ width: 640, height: 480 }, 1600)).toEqual({ width: 640, height: 480 })
})

test('a very thin image keeps at least one pixel', () => {
  expect(fitWithin({ width: 40_000, height: 3 }, 1600)).toEqual({ width: 1600, height: 1 })
})
