// @vitest-environment node
import { expect, test } from 'vitest'
import { moved } from './use-drag.ts'

test('an item moves up, down and no further than the ends', () => {
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
  expect(moved(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c'])
  expect(moved(['a', 'b', 'c'], 2, 9)).toEqual(['a', 'b', 'c'])
})
