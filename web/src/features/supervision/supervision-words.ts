import { LEXICON_CATEGORIES } from '#domain/lexicon-categories.ts'
import { m } from '#lib/messages/messages.js'
import type { Caught } from './supervision-queries.ts'

const SOURCES: Record<string, () => string> = {
  lexicon: m.supervision_source_lexicon,
  sample: m.supervision_source_sample,
  report: m.supervision_source_report,
}
const OUTCOMES: Record<string, () => string> = {
  fine: m.supervision_fine,
  follow_up: m.supervision_follow_up,
  violation: m.supervision_violation,
}
const REASONS: Record<string, () => string> = {
  harassment: m.supervision_reason_harassment,
  spam: m.supervision_reason_spam,
  misleading_claims: m.supervision_reason_misleading,
  private_data: m.supervision_reason_private,
  other: m.supervision_reason_other,
}
export const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Español' },
]

// What is newer than this app is shown as stored.
const word = (words: Record<string, () => string>) => (value: string) => words[value]?.() ?? value

export const sourceName = word(SOURCES)
export const outcomeName = word(OUTCOMES)
export const reasonName = word(REASONS)
export const categoryName = word(LEXICON_CATEGORIES)

export const phraseOf = ({ phrase, near }: { phrase: string; near?: string | null }) =>
  near ? `${phrase} … ${near}` : phrase

/** Why an item is in the queue, in a few words. */
export function whyQueued(item: {
  source: string
  caught: unknown
  report_reason: string | null
  of_week?: string | null
}) {
  if (item.source === 'report') return reasonName(item.report_reason ?? '')
  if (item.source === 'sample')
    return item.of_week ? m.supervision_drawn_of_week() : m.supervision_drawn()
  return (item.caught as Caught[]).map(phraseOf).join(', ')
}
