import type { LexiconEntry } from './supervision-queries.ts'

export type LexiconFilter = { words: string; category: string; language: string }

/** The entries with all the words anywhere in their phrases and exceptions; without regard to accents and case. */
export function filterLexicon(
  entries: LexiconEntry[],
  { words, category, language }: LexiconFilter,
): LexiconEntry[] {
  const wanted = plain(words).split(/\s+/)
  return entries.filter((entry) => {
    const text = plain([entry.phrase, entry.near ?? '', ...entry.exceptions].join(' '))
    return (
      (category === '' || entry.category === category) &&
      (language === '' || entry.language === language) &&
      wanted.every((word) => text.includes(word))
    )
  })
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}
