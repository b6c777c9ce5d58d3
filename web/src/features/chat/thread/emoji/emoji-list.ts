import { queryOptions } from '@tanstack/react-query'
import { getLocale } from '#lib/messages/runtime.js'
import english from './emojis-en.txt?url'
import spanish from './emojis-es.txt?url'

export type Emoji = { emoji: string; name: string; words: string }

export type EmojiGroup =
  | 'smileys'
  | 'people'
  | 'animals'
  | 'food'
  | 'travel'
  | 'activities'
  | 'objects'
  | 'symbols'
  | 'flags'

export type GroupOfEmojis = { group: EmojiGroup; emojis: Emoji[] }

/** All emojis with their names in the reader's language: a file of its own, read when the picker is first opened. */
export const emojisQuery = () => {
  const address = getLocale() === 'es' ? spanish : english
  return queryOptions({
    queryKey: ['emojis', address],
    queryFn: async () => {
      const response = await fetch(address)
      if (!response.ok) throw new Error(`${response.status} ${response.statusText}`)
      return parseEmojis(await response.text())
    },
    staleTime: Infinity,
  })
}

/** Lines of `emoji, name, further words`, with tabs between them, below the names of their groups. */
export function parseEmojis(text: string): GroupOfEmojis[] {
  const groups: GroupOfEmojis[] = []
  for (const line of text.trim().split('\n')) {
    if (line.startsWith('# ')) {
      groups.push({ group: line.slice(2) as EmojiGroup, emojis: [] })
      continue
    }
    const [emoji = '', name = '', words = ''] = line.split('\t')
    groups.at(-1)?.emojis.push({ emoji, name, words: plain(`${name} ${words}`) })
  }
  return groups
}

/** Those of which some words begin with the typed ones, names first. */
export function findEmojis(groups: readonly GroupOfEmojis[], search: string): Emoji[] {
  const wanted = plain(search).split(/\s+/).filter(Boolean)
  const begins = (text: string, word: string) => ` ${text}`.includes(` ${word}`)
  const found = groups
    .flatMap(({ emojis }) => emojis)
    .filter(({ emoji, words }) => emoji === search || wanted.every((word) => begins(words, word)))
  const inName = ({ name }: Emoji) => wanted.every((word) => begins(plain(name), word))
  return [...found.filter(inName), ...found.filter((each) => !inName(each))]
}

// "corazon" finds "corazón": normalizing separates accents, which are then dropped.
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}
