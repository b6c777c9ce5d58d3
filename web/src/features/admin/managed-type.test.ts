// @vitest-environment node
import { expect, test } from 'vitest'
import { managedType, manageLink } from './managed-type.ts'

const NO_SEARCH = new URLSearchParams()

test('without a type the page manages the home screen', () => {
  expect(managedType(NO_SEARCH, null)).toBe('home')
  expect(managedType(new URLSearchParams('type=nonsense'), { contentType: 'users' })).toBe('home')
})

test('type and table come from the navigation state, and from the address after a reload', () => {
  const { to, state } = manageLink('schedule')
  expect(state).toEqual({ contentType: 'schedule', tableName: 'schedule_content' })
  expect(managedType(NO_SEARCH, state)).toBe('schedule')
  expect(managedType(new URL(to, 'http://localhost').searchParams, null)).toBe('schedule')
})

test('chat and notification management are managed like the content types', () => {
  expect(managedType(new URLSearchParams('type=chat'), null)).toBe('chat')
  expect(managedType(new URLSearchParams('type=notifications'), null)).toBe('notifications')
})
