import { afterEach, expect, test } from 'vitest'
import { formatNames } from './format-list.ts'
import { chooseLocale } from './locale.ts'

const NAMES = ['Ana', 'Ben', 'Cleo', 'Dana', 'Eli']

afterEach(() => chooseLocale('en'))

test('three people are named, more are counted', () => {
  expect(formatNames(NAMES.slice(0, 1))).toBe('Ana')
  expect(formatNames(NAMES.slice(0, 3))).toBe('Ana, Ben, and Cleo')
  expect(formatNames(NAMES)).toBe('Ana, Ben, Cleo and 2 more')
  expect(formatNames(NAMES, 1_203)).toBe('Ana, Ben, Cleo and 1,200 more')
  chooseLocale('es')
  expect(formatNames(NAMES)).toBe('Ana, Ben, Cleo y 2 más')
})
