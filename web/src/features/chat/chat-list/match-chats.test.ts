import { expect, test } from 'vitest'
import { aChat } from '#features/chat/chat-builders.ts'
import { matchChats } from './match-chats.ts'

const sofia = aChat({ chat_id: 'sofia', title: 'Sofía Nguyen', type: 'individual' })
const squad = aChat({ chat_id: 'squad', title: 'Field Squad North' })
const nobody = new Set<string>()

test('without a search every chat is shown', () => {
  expect(matchChats([sofia, squad], '  ', nobody)).toEqual([sofia, squad])
})

test('a chat is found by a part of its title, without regard to accents or capitals', () => {
  expect(matchChats([sofia, squad], 'SOFIA n', nobody)).toEqual([sofia])
})

test('a chat is found by a participant', () => {
  expect(matchChats([sofia, squad], 'Priya', new Set(['squad']))).toEqual([squad])
})
