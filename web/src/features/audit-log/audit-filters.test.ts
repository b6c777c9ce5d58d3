// @vitest-environment node
import { expect, test } from 'vitest'
import { addressOf, filtersIn, timesOf } from './audit-filters.ts'

const ID = '00000000-0000-4000-8000-000000000001'
const noFilters = filtersIn(new URLSearchParams())

test('filters survive in the address, and only those that are set are in it', () => {
  const filters = { ...noFilters, kind: 'chat' as const, about: ID, when: 'week' as const }
  expect(addressOf(filters).toString()).toBe(`kind=chat&about=${ID}&when=week`)
  expect(filtersIn(addressOf(filters))).toEqual(filters)
})

test('an address that makes no sense filters nothing', () => {
  const address = 'kind=x&by=someone&about=server&when=never&from=2026-13-45&to=yesterday'
  expect(filtersIn(new URLSearchParams(address))).toEqual(noFilters)
})

test('days begin and end in the viewer’s time zone', () => {
  const now = new Date(2026, 10, 20, 15).getTime()
  const times = (some: object) => timesOf({ ...noFilters, ...some }, now)
  const local = (...parts: [number, number, number]) => new Date(...parts).toISOString()
  expect(times({})).toEqual({ since: null, until: null })
  expect(times({ when: 'today' })).toEqual({ since: local(2026, 10, 20), until: null })
  expect(times({ when: 'week' })).toEqual({ since: local(2026, 10, 14), until: null })
  expect(times({ when: 'days', from: '2026-10-31', to: '2026-11-01' })).toEqual({
    since: local(2026, 9, 31),
    until: local(2026, 10, 2),
  })
  expect(times({ when: 'days' })).toEqual({ since: null, until: null })
})
