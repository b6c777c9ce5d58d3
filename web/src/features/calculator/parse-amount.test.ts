// @vitest-environment node
import { expect, test } from 'vitest'
import { parseAmount } from './parse-amount.ts'

test.each([
  ['3000', 3000],
  ['3,000', 3000],
  ['$3,000.50', 3000.5],
  [' 3 000 ', 3000],
  ['0', 0],
  ['.5', 0.5],
  ['2.', 2],
])('%j is read as %d', (typed, value) => {
  expect(parseAmount(typed)).toEqual({ state: 'usable', value })
})

test.each(['', '   ', '$'])('%j is blank, so there is no table', (typed) => {
  expect(parseAmount(typed)).toEqual({ state: 'blank' })
})

test.each([
  ['-5', 'negative'],
  ['\u22125', 'negative'],
  ['(5)', 'negative'],
  ['abc', 'text'],
  ['1e9', 'text'],
  ['1,2', 'text'],
  ['1.2.3', 'text'],
  ['.', 'text'],
  ['-', 'text'],
  ['Infinity', 'text'],
  ['10000001', 'huge'],
  ['9'.repeat(400), 'huge'],
])('%j is refused: %s', (typed, reason) => {
  expect(parseAmount(typed)).toEqual({ state: 'refused', reason })
})

test('negative zero is zero', () => {
  expect(parseAmount('-0')).toEqual({ state: 'usable', value: 0 })
})
