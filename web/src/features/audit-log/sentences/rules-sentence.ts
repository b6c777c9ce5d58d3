import { m } from '#lib/messages/messages.js'
import type { AuditEntry } from '#features/audit-log/audit-queries.ts'
import { actorName } from '#features/audit-log/entry-names.ts'

/** The house rules, and whether everybody has to accept them again. */
export function rulesSentence(entry: AuditEntry): string {
  const actor = actorName(entry)
  if (!entry.details.asked_again) return m.audit_rules_changed({ actor })
  const isChanged = ['body', 'contact'].some((column) => column in (entry.after ?? {}))
  return isChanged ? m.audit_rules_asked({ actor }) : m.audit_rules_asked_again({ actor })
}
