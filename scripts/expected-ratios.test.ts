import { expect, test } from 'vitest'
import { EXPECTED, fallenRatios, type Ratios } from '../bench/expected-ratios.ts'

const times = (factor: number) =>
  Object.fromEntries(
    Object.entries(EXPECTED).map(([name, ratio]) => [name, ratio * factor]),
  ) as Ratios

test('ratios that are as expected, better, or a quarter worse pass', () => {
  for (const factor of [1, 5, 0.75]) expect(fallenRatios(times(factor))).toEqual([])
})

test('each ratio that has fallen by more than a third is named', () => {
  const measured = { ...times(1), 'insert: without triggers / with all': 0.01 }
  expect(fallenRatios(measured)).toEqual([
    expect.stringMatching(/^insert: without triggers .* with all: 0\.010, expected /),
  ])
  expect(fallenRatios(times(0.65))).toHaveLength(Object.keys(EXPECTED).length)
})

test('a ratio that could not be measured has fallen', () => {
  expect(fallenRatios(times(NaN))).toHaveLength(Object.keys(EXPECTED).length)
})
