// @vitest-environment node
import { expect, test } from 'vitest'
import { aMessage } from '#features/chat/model/chat-builders.ts'
import { reactionsOf, withOwnReaction } from './reactions.ts'

const message = aMessage({ reaction_counts: { '🎉': 1, '👍': 3 }, my_reactions: ['👍'] })

test('reactions are listed most frequent first, own ones marked', () => {
  expect(reactionsOf(message)).toEqual([
    { emoji: '👍', count: 3, isOwn: true },
    { emoji: '🎉', count: 1, isOwn: false },
  ])
})

test('an own reaction counts at once', () => {
  expect(withOwnReaction(message, '🎉', true)).toMatchObject({
    reaction_counts: { '🎉': 2, '👍': 3 },
    my_reactions: ['👍', '🎉'],
  })
})

test('removing the last reaction leaves nothing', () => {
  const only = aMessage({ reaction_counts: { '👍': 1 }, my_reactions: ['👍'] })
  expect(withOwnReaction(only, '👍', false)).toMatchObject({
    reaction_counts: {},
    my_reactions: [],
  })
})

test('an existing reaction does not count twice', () => {
  expect(withOwnReaction(message, '👍', true)).toBe(message)
})
