import { afterEach, expect, test } from 'vitest'
import { chooseLocale } from './locale.ts'
import { formatCount } from './format-count.ts'
import { formatClockTime } from './clock-time.ts'

afterEach(() => chooseLocale('en'))

test.each(['en', 'es'] as const)('a count has the US sign between thousands (%s)', (locale) => {
  chooseLocale(locale)
  expect(formatCount(999)).toBe('999')
  expect(formatCount(10_000)).toBe('10,000')
})

test('in Spanish the clock counts twelve hours too', () => {
  chooseLocale('es')
  expect(formatClockTime(Date.UTC(2026, 10, 20, 19), 'UTC')).toMatch(/^7:00\sp\.\s?m\.$/)
})
