import { m } from '#lib/messages/messages.js'

export type SearchFilters = {
  query: string
  sender: string
  place: string
  /** The first moment that is not searched any more; null: none. */
  until: string | null
  hasImage: boolean
}

type FilterName = 'from' | 'in' | 'before' | 'has'

/** A filter as it was typed. */
export type TypedFilter = { name: FilterName; value: string; text: string; isUnderstood: boolean }

/** Each language's words work in both. */
const NAMES: Record<string, FilterName> = {
  from: 'from',
  de: 'from',
  in: 'in',
  en: 'in',
  before: 'before',
  antes: 'before',
  has: 'has',
  con: 'has',
}
const FILTER = /(?<=^|\s)(from|de|in|en|before|antes|has|con):("[^"]*"?|\S*)/gi
const IMAGES = /^(image|photo|picture|imagen|foto)s?$/i
const MYSELF = /^(me|yo|mí|mi)$/i

export const FILTER_NAMES = {
  from: m.search_filter_from,
  in: m.search_filter_in,
  before: m.search_filter_before,
  has: m.search_filter_has,
}

/** The filters in what was typed: `from:ann in:"Squad North" before:2026-05-31 has:image`. */
export function typedFilters(typed: string): TypedFilter[] {
  return [...typed.matchAll(FILTER)].map(([text, written = '', quoted = '']) => {
    const name = NAMES[written.toLowerCase()] ?? 'from'
    const value = quoted.replaceAll('"', '').trim()
    return { name, value, text, isUnderstood: isUnderstood(name, value) }
  })
}

function isUnderstood(name: FilterName, value: string): boolean {
  if (name === 'before') return startOfDay(value) !== null
  return name === 'has' ? IMAGES.test(value) : value !== ''
}

/** What to ask the server for. Of filters of one kind the last counts. */
export function readFilters(typed: string): SearchFilters {
  const filters = typedFilters(typed).filter((each) => each.isUnderstood)
  const last = (name: FilterName) => filters.findLast((each) => each.name === name)?.value ?? ''
  const sender = last('from')
  return {
    query: typed.replace(FILTER, ' ').replace(/\s+/g, ' ').trimStart(),
    sender: MYSELF.test(sender) ? 'me' : sender,
    place: last('in'),
    until: startOfDay(last('before')),
    hasImage: last('has') !== '',
  }
}

/** What was typed without one of its filters. */
export function withoutFilter(typed: string, filter: TypedFilter): string {
  return typed.replace(filter.text, '').replace(/\s+/g, ' ').trim()
}

/** Begins a filter at the end of what was typed. */
export function withFilter(typed: string, text: string): string {
  return `${typed.trimEnd()} ${text}`.trimStart()
}

/** One letter finds half of the team. */
export function isAsked({ query, sender, place, until, hasImage }: SearchFilters): boolean {
  return query.trim().length >= 2 || sender !== '' || place !== '' || until !== null || hasImage
}

/** By the viewer's clock; null if the day does not exist. */
function startOfDay(value: string): string | null {
  const [, year, month, day] = (/^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(value) ?? []).map(Number)
  if (!year || !month || !day) return null
  const date = new Date(year, month - 1, day)
  return date.getMonth() === month - 1 && date.getDate() === day ? date.toISOString() : null
}
