import { m } from '#lib/messages/messages.js'

const NAMES: Record<string, () => string> = {
  message: m.records_kind_message,
  reaction: m.records_kind_reaction,
  notice: m.records_kind_notice,
  chat: m.records_kind_chat,
  member: m.records_kind_member,
  audit: m.records_kind_audit,
  report: m.records_kind_report,
  block: m.records_kind_block,
  review: m.records_kind_review,
  look: m.records_kind_look,
  rules: m.records_kind_rules,
}

/** A kind of archived records by which they are kept: the word before the dot of their kind (docs/archive.md). */
export function recordKindName(category: string): string {
  return NAMES[category]?.() ?? m.records_kind_other({ kind: category })
}
