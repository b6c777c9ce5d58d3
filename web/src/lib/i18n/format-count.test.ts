import { afterEach, expect, test } from 'vitest'
import { formatClockTime } from '#domain/clock-time.ts'
import { setLocale, type Locale } from '#lib/messages/runtime.js'
import { formatCount } from './format-count.ts'

const speak = (locale: Locale) => void setLocale(locale, { reload: false })

afterEach(() => speak('en'))

test.each(['en', 'es'] as const)('a count has the US sign between thousands (%s)', (locale) => {
  speak(locale)
  expect(formatCount(999)).toBe('999')
  expect(formatCount(10_000)).toBe('10,000')
})

test('in Spanish the clock has twelve hours too', () => {
  speak('es')
  expect(formatClockTime(Date.UTC(2026, 10, 20, 19), 'UTC')).toMatch(/^7:00\sp\.\s?m\.$/)
})
