import { LONGEST_NAME } from '#domain/member-name.ts'
import { withoutAt } from './find-addresses.ts'
import { withNameCase } from './name-case.ts'

export type Name = { firstName: string; lastName: string }

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|ene|abr|ago|dic)[a-zé]*\\.?'
const NOT_A_NAME: RegExp[] = [
  /\b(?:https?:\/\/|www\.)\S+/gi,
  // Dates, times and numbers, with the words around them.
  new RegExp(`\\b${MONTH}\\s+\\d{1,2}(?:\\s*,?\\s*\\d{4})?\\b`, 'gi'),
  new RegExp(`\\b\\d{1,2}(?:\\s+de)?\\s+${MONTH}(?:\\s+(?:de\\s+)?\\d{4})?\\b`, 'gi'),
  /\b\d{1,2}:\d{2}(?::\d{2})?\s*(?:[ap]\.?\s?m\b\.?)?/gi,
  /\(?\+?\d[\d().\-–/\s]*(?:x|ext\.?)?\s*\d*/gi,
  /\S*\d\S*/g,
  // A name on some network.
  /\S*@\S*/g,
]
/** What a form calls its fields, and the lines of a mail's head. */
export const LABELS =
  /(?:^|\s)(?:(?:e-?mail|mail|correo|phone|tel|cell|cel|mobile|móvil|fax|name|nombre|teléfono|celular)\s*:|(?:to|cc|bcc|from|para|de|cco):(?=\s|$))/gi
const WORD = /[^\s<>()[\]{},;:"]+/g
const IN_BRACKETS = /\([^)]*\)|\[[^\]]*\]|\{[^}]*\}/g
const QUOTED = /"[^"]*"|“[^”]*”|«[^»]*»|„[^“”]*[“”]/g
const MARKS = /["“”„«»<>()[\]{}|*#_=~^\\]|(?:^|\s)['‘’`]+|['‘’`]+(?=\s|,|$)/g
const EDGES = /^[\s,;:.\-–—•·/&]+|[\s,;:\-–—•·/&]+$/g
const TITLE = /^(?:mr|mrs|ms|miss|dr|dra|prof|sra|srta|sr(?=\.|\s+\S+\s))\.?\s+(?=\S)/i
const CREDENTIAL = /^(?:ph\.?\s?d|md|mba|cpa|cfp|clu|chfc|ricp|lutcf|esq|jd|rn|fsa|cfa)\.?$/i
const GENERATION = /^(?:jr|sr|ii|iii|iv)\.?$/i

/** The text without what is no part of a name: numbers, dates, quotes, titles, notes in brackets. */
export function nameText(text: string): string {
  // Nobody is called by more than this, and a long text takes time.
  let rest = text.slice(0, 500).replace(LABELS, ' ')
  for (const part of NOT_A_NAME) rest = rest.replace(part, ' ')
  rest = rest.replace(WORD, (word) => (withoutAt(word) ? ' ' : word))
  // Quotes and brackets around everything belong to the format; those behind a name hold a nickname or a note.
  for (const aside of [QUOTED, IN_BRACKETS])
    if (/^[^"“„«([{]*\p{L}/u.test(rest)) rest = rest.replace(aside, ' ')
  rest = rest.replace(MARKS, ' ')
  rest = rest.replace(/\s+/g, ' ').replace(EDGES, '').replace(TITLE, '')
  return /\p{L}/u.test(rest) ? rest : ''
}

/** A whole name: `Maya Ortiz`, `Ortiz, Maya`, `ORTIZ Maya`, with or without quotes and numbers around it. */
export function readName(text: string): Name {
  const parts = nameText(text)
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((part) => part && !CREDENTIAL.test(part))
  const generation = parts.length > 1 ? parts.find((part) => GENERATION.test(part)) : undefined
  const [one = '', two] = parts.filter((part) => part !== generation)
  const name = two ? { firstName: two, lastName: one } : split(one)
  const [firstName, itsGeneration] = two ? withoutGeneration(name.firstName) : [name.firstName]
  return tidyName({
    firstName,
    lastName: [name.lastName, itsGeneration ?? generation].filter(Boolean).join(' '),
  })
}

/** `Maya Jr.` of `Ortiz, Maya Jr.`: the first name, and what belongs behind the last one. */
function withoutGeneration(firstName: string): [string, string?] {
  const words = firstName.split(' ')
  const last = words.at(-1) ?? ''
  return words.length > 1 && GENERATION.test(last)
    ? [words.slice(0, -1).join(' '), last]
    : [firstName]
}

/** A first and a last name from columns of their own. */
export function readNames(first: string, last: string): Name {
  const [firstName, lastName] = [nameText(first), nameText(last)]
  if (firstName && lastName) return tidyName({ firstName, lastName })
  return readName(firstName || lastName)
}

/** The first word is the first name, unless capitals mark the last one: `ORTIZ LOPEZ Maya`. */
function split(name: string): Name {
  const words = name.split(' ')
  const isMarked = (word: string) => word.length > 2 && word === word.toUpperCase()
  const marked = words.findIndex((word) => !isMarked(word))
  if (marked > 0 && words.slice(marked).every((word) => !isMarked(word)))
    return { firstName: words.slice(marked).join(' '), lastName: words.slice(0, marked).join(' ') }
  // An initial stays with the first name.
  const last = /^\p{Lu}\.?$/u.test(words[1] ?? '') && words.length > 2 ? 2 : 1
  return { firstName: words.slice(0, last).join(' '), lastName: words.slice(last).join(' ') }
}

function tidyName(name: Name): Name {
  const { firstName, lastName } = withNameCase(name)
  const cut = (text: string) => text.slice(0, LONGEST_NAME).trim()
  return { firstName: cut(firstName), lastName: cut(lastName) }
}
