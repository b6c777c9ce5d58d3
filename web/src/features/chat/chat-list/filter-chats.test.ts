import { expect, test } from 'vitest'
import { aChat } from '#features/chat/chat-builders.ts'
import { filterChats } from './filter-chats.ts'

const team = aChat({ title: 'Team', type: 'mandatory' })
const group = aChat({ title: 'Group' })
const pair = aChat({ title: 'Pair', type: 'individual' })
const archived = aChat({ title: 'Archived', is_archived: true })
const chats = [team, group, pair, archived]

test('All shows every chat that is not archived', () => {
  expect(filterChats(chats, 'all')).toEqual([team, group, pair])
})

test('Individual shows chats of two', () => {
  expect(filterChats(chats, 'individual')).toEqual([pair])
})

test('Groups shows groups and the mandatory chat', () => {
  expect(filterChats(chats, 'groups')).toEqual([team, group])
})

test('Archived shows archived chats only', () => {
  expect(filterChats(chats, 'archived')).toEqual([archived])
})
