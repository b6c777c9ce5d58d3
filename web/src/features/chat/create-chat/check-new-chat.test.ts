// @vitest-environment node
import { expect, test } from 'vitest'
import { aMember } from '#features/chat/model/chat-builders.ts'
import { checkNewChat } from './check-new-chat.ts'

const one = [aMember()]
const two = [aMember(), aMember()]

test('a chat needs at least one member', () => {
  expect(checkNewChat({ members: [], groupName: '', firstMessage: 'Hi' })).toBe('no-members')
})

test('a chat needs a first message that is not blank', () => {
  expect(checkNewChat({ members: one, groupName: '', firstMessage: ' \n' })).toBe('no-message')
})

test('more than one member needs a group name', () => {
  expect(checkNewChat({ members: two, groupName: ' ', firstMessage: 'Hi' })).toBe('no-name')
  expect(checkNewChat({ members: one, groupName: '', firstMessage: 'Hi' })).toBeNull()
})

test('a first message that is too long is refused rather than cut off', () => {
  const saying = (length: number) =>
    checkNewChat({ members: one, groupName: '', firstMessage: 'x'.repeat(length) })
  expect(saying(4000)).toBeNull()
  expect(saying(4001)).toBe('message-too-long')
})

test('a group name has at most 50 characters', () => {
  const named = (length: number) =>
    checkNewChat({ members: two, groupName: 'x'.repeat(length), firstMessage: 'Hi' })
  expect(named(50)).toBeNull()
  expect(named(51)).toBe('name-too-long')
})
