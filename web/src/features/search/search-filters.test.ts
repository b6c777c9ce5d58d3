import { expect, test } from 'vitest'
import { isAsked, readFilters, typedFilters, withoutFilter } from './search-filters.ts'

test('words without a filter are the query', () => {
  expect(readFilters('evening appointment')).toEqual({
    query: 'evening appointment',
    sender: '',
    place: '',
    until: null,
    hasImage: false,
  })
})
test('filters are taken out of the query, wherever they stand', () => {
  expect(readFilters('from:ann deck in:"Squad North" has:image before:2026-05-31')).toEqual({
    query: 'deck ',
    sender: 'ann',
    place: 'Squad North',
    until: new Date(2026, 4, 31).toISOString(),
    hasImage: true,
  })
})
test('Spanish filters mean the same', () => {
  expect(readFilters('de:yo en:equipo con:foto antes:2026-01-02')).toMatchObject({
    query: '',
    sender: 'me',
    place: 'equipo',
    until: new Date(2026, 0, 2).toISOString(),
    hasImage: true,
  })
})
test('an address is not a filter', () => {
  expect(readFilters('https://zoom.us/j/1 login:me').query).toBe('https://zoom.us/j/1 login:me')
})
test.each(['before:', 'before:soon', 'before:2026-02-30', 'has:', 'has:wings', 'from:', 'in:""'])(
  'a filter without a meaning filters nothing: %s',
  (typed) => {
    expect(typedFilters(typed)[0]?.isUnderstood).toBe(false)
    expect(isAsked(readFilters(typed))).toBe(false)
  },
)
test('of two filters of one kind the last counts', () => {
  expect(readFilters('from:ann from:bea').sender).toBe('bea')
})
test('one filter is removed, and the rest stays', () => {
  const typed = 'from:ann deck has:image'
  const [from] = typedFilters(typed)
  expect(from && withoutFilter(typed, from)).toBe('deck has:image')
})
test('one letter is not asked for, a filter alone is', () => {
  expect(isAsked(readFilters('a'))).toBe(false)
  expect(isAsked(readFilters('has:image'))).toBe(true)
})
