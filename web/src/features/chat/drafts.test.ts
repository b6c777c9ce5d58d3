// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest'
import { readDraft, saveDraft } from './drafts.ts'

beforeEach(() => localStorage.clear())

test('a draft is kept per chat', () => {
  saveDraft('maya', 'one', 'Hello')
  saveDraft('maya', 'two', 'Goodbye')
  expect(readDraft('maya', 'one')).toBe('Hello')
  expect(readDraft('maya', 'two')).toBe('Goodbye')
})

test('a draft is kept per member of a shared device', () => {
  saveDraft('maya', 'one', 'Hello')
  expect(readDraft('theo', 'one')).toBe('')
})

test('an emptied draft leaves nothing behind', () => {
  saveDraft('maya', 'one', 'Hello')
  saveDraft('maya', 'one', '  \n')
  expect(readDraft('maya', 'one')).toBe('')
  expect(localStorage).toHaveLength(0)
})
