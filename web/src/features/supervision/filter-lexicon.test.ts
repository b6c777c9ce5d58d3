import { expect, test } from 'vitest'
import { filterLexicon } from './filter-lexicon.ts'
import type { LexiconEntry } from './supervision-queries.ts'

const entry = (phrase: string, some: Partial<LexiconEntry> = {}): LexiconEntry => ({
  id: phrase,
  language: 'en',
  category: 'guarantee',
  phrase,
  near: null,
  within: 5,
  exceptions: [],
  is_active: true,
  updated_at: '2026-03-09T15:00:00Z',
  updated_by: null,
  caught: 0,
  violations: 0,
  ...some,
})

const ENTRIES = [
  entry('guaranteed return', { exceptions: ['no guarantee'] }),
  entry('text', { category: 'channel', near: 'private number' }),
  entry('garantía de ganancia', { language: 'es' }),
]
const found = (filter: object) =>
  filterLexicon(ENTRIES, { words: '', category: '', language: '', ...filter }).map(({ id }) => id)

test('without a filter all entries are shown, in their order', () => {
  expect(found({})).toEqual(ENTRIES.map(({ id }) => id))
})

test('words are found in both phrases and in exceptions, in any order, without accents and case', () => {
  expect(found({ words: ' NUMBER text' })).toEqual(['text'])
  expect(found({ words: 'garantia' })).toEqual(['garantía de ganancia'])
  expect(found({ words: 'no guarantee' })).toEqual(['guaranteed return'])
  expect(found({ words: 'moonshot' })).toEqual([])
})

test('category and language narrow it down together', () => {
  expect(found({ category: 'guarantee' })).toEqual(['guaranteed return', 'garantía de ganancia'])
  expect(found({ category: 'guarantee', language: 'es' })).toEqual(['garantía de ganancia'])
  expect(found({ category: 'channel', language: 'es' })).toEqual([])
})
