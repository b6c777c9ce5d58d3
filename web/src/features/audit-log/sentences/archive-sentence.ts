import { recordKindName } from '#domain/record-kinds.ts'
import { m } from '#lib/messages/messages.js'
import type { AuditEntry } from '#features/audit-log/audit-queries.ts'
import { actorName, nameIn } from '#features/audit-log/entry-names.ts'

/** A legal hold, or how long records are kept. */
export function archiveSentence(entry: AuditEntry): string | undefined {
  const actor = actorName(entry)
  const [member] = entry.people
  const held = { actor, name: member ? nameIn(entry, member) : (entry.object_name ?? '') }
  switch (entry.action) {
    case 'hold_placed':
      return held.name ? m.audit_hold_placed(held) : m.audit_hold_placed_on_chat({ actor })
    case 'hold_lifted':
      return held.name ? m.audit_hold_lifted(held) : m.audit_hold_lifted_on_chat({ actor })
    case 'retention':
      return m.audit_retention({ actor, kind: recordKindName(entry.details.category ?? '') })
  }
}
