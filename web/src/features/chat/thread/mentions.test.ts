// @vitest-environment node
import { expect, test } from 'vitest'
import { insertMention, mentionedIds, mentionQuery, splitMentions } from './mentions.ts'

const ann = { id: 'ann', name: 'Ann Lee' }
const anna = { id: 'anna', name: 'Ann Leeds' }

test('an @ at the start of a word opens the member list', () => {
  expect(mentionQuery('@', 1)).toEqual({ query: '', start: 0 })
  expect(mentionQuery('Thanks @Pri', 11)).toEqual({ query: 'Pri', start: 7 })
  expect(mentionQuery('Thanks @Priya Sh', 16)).toEqual({ query: 'Priya Sh', start: 7 })
})

test('an e-mail address or a finished mention opens nothing', () => {
  expect(mentionQuery('mail maya@example.com', 21)).toBeNull()
  expect(mentionQuery('@Priya Shah thank you', 21)).toBeNull()
})

test('only text before the caret counts', () => {
  expect(mentionQuery('@Pri and more', 4)).toEqual({ query: 'Pri', start: 0 })
})

test('a selected name replaces the query', () => {
  expect(insertMention('Hi @An, ok', 3, 6, 'Ann Lee')).toEqual({
    text: 'Hi @Ann Lee , ok',
    caret: 12,
  })
  expect(insertMention('@', 0, 1, 'Ann Lee')).toEqual({ text: '@Ann Lee ', caret: 9 })
})

test('a member counts as mentioned, once, while the name is in the text', () => {
  expect(mentionedIds('@Ann Lee and @Ann Lee', [ann, anna])).toEqual(['ann'])
  expect(mentionedIds('Nobody any more', [ann])).toEqual([])
})

test('a longer name is not mistaken for a shorter one', () => {
  expect(mentionedIds('Hello @Ann Leeds', [ann, anna])).toEqual(['anna'])
  expect(mentionedIds('Hello @Ann Leeds', [ann])).toEqual([])
})

test('the text is split at mentions and loses nothing', () => {
  const text = 'Ask @Ann Lee, please'
  expect(splitMentions(text, [ann])).toEqual([
    { kind: 'text', text: 'Ask ' },
    { kind: 'mention', text: '@Ann Lee', id: 'ann' },
    { kind: 'text', text: ', please' },
  ])
})

test('a name with regular-expression characters is matched literally', () => {
  expect(mentionedIds('@J. (Jo) Kim', [{ id: 'jo', name: 'J. (Jo) Kim' }])).toEqual(['jo'])
})
