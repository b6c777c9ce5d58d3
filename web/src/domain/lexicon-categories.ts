import { m } from '#lib/messages/messages.js'

/** What entries of the lexicon are about, as the database says it. */
export const LEXICON_CATEGORIES: Record<string, () => string> = {
  guarantee: m.supervision_category_guarantee,
  risk: m.supervision_category_risk,
  replacement: m.supervision_category_replacement,
  channel: m.supervision_category_channel,
  rebate: m.supervision_category_rebate,
  misrepresentation: m.supervision_category_misrepresentation,
  forgery: m.supervision_category_forgery,
  churning: m.supervision_category_churning,
  claim: m.supervision_category_claim,
  complaint: m.supervision_category_complaint,
  other: m.supervision_category_other,
}
