import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { QUICK_REACTIONS } from '../reactions.ts'
import { findEmojis, parseEmojis } from './emoji-list.ts'

const read = (locale: string) =>
  parseEmojis(readFileSync(`${import.meta.dirname}/emojis-${locale}.txt`, 'utf8'))
const [english, spanish] = [read('en'), read('es')]
const all = english.flatMap(({ emojis }) => emojis.map(({ emoji }) => emoji))
const first = (groups: typeof english, search: string) =>
  findEmojis(groups, search).map(({ emoji }) => emoji)

test('both languages have the same emojis, each once, with a name', () => {
  expect(spanish.flatMap(({ emojis }) => emojis.map(({ emoji }) => emoji))).toEqual(all)
  expect(new Set(all).size).toBe(all.length)
  for (const { emojis } of [...english, ...spanish])
    expect(emojis.filter(({ name }) => !name)).toEqual([])
})

test('the quick reactions are among them as they are, so that their counts add up', () => {
  expect(QUICK_REACTIONS.filter((emoji) => !all.includes(emoji))).toEqual([])
})

test('emojis are found by the beginnings of words, with or without accents, names before further words', () => {
  expect(first(english, 'thumbs')).toEqual(['👍', '👎'])
  expect(first(english, 'fir eng')).toContain('🚒')
  expect(first(spanish, 'corazon rojo')[0]).toBe('❤️')
  expect(first(spanish, 'CORAZÓN')).toContain('❤️')
  expect(first(english, 'heart')[0]).not.toBe('💔')
  expect(first(english, '🎉')).toEqual(['🎉'])
  expect(first(english, 'nothing like this')).toEqual([])
})
