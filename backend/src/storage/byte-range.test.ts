import { expect, test } from 'vitest'
import { parseByteRange } from './byte-range.ts'

test.each([
  ['bytes=0-3', { start: 0, end: 3 }],
  ['bytes=4-', { start: 4, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-30', { start: 0, end: 9 }],
  ['bytes=8-99', { start: 8, end: 9 }],
])('%s of ten bytes', (header, range) => {
  expect(parseByteRange(header, 10)).toEqual(range)
})

test.each([null, '', 'bytes=-', 'lines=1-2', 'bytes=5-2', 'bytes=0-1,4-5', 'bytes=1-2; drop'])(
  'everything is sent for %s',
  (header) => expect(parseByteRange(header, 10)).toBeNull(),
)

test.each(['bytes=10-', 'bytes=10-12', 'bytes=-0'])('%s is past the end', (header) => {
  expect(parseByteRange(header, 10)).toBe('unsatisfiable')
})

test('no range of an empty file is satisfiable', () => {
  expect(parseByteRange('bytes=0-', 0)).toBe('unsatisfiable')
  expect(parseByteRange('bytes=-5', 0)).toBe('unsatisfiable')
})
