import { m } from '#lib/messages/messages.js'
import type { AuditEntry } from '#features/audit-log/audit-queries.ts'
import { actorName, listPeople } from '#features/audit-log/entry-names.ts'
import { columnsOf, fieldList, onlyChange } from './changed-fields.ts'

/** A column of the team's settings. */
export function settingSentence(entry: AuditEntry): string {
  const actor = actorName(entry)
  if (columnsOf(entry).join() === 'vice_presidents') return vicePresidentsSentence(entry, actor)
  const change = onlyChange(entry)
  return change
    ? m.audit_setting_changed_to({ actor, ...change })
    : m.audit_setting_changed({ actor, fields: fieldList(entry) })
}

function vicePresidentsSentence(entry: AuditEntry, actor: string) {
  const [before, after] = [entry.before, entry.after].map(
    (row) => (row?.vice_presidents ?? []) as string[],
  ) as [string[], string[]]
  const added = after.filter((id) => !before.includes(id))
  const removed = before.filter((id) => !after.includes(id))
  const named = (ids: string[]) => ({ actor, people: listPeople(entry, ids, ids.length) })
  if (added.length > 0 && removed.length === 0) return m.audit_setting_vice_president(named(added))
  if (removed.length > 0 && added.length === 0)
    return m.audit_setting_no_vice_president(named(removed))
  if (added.length === 0) return m.audit_setting_vice_presidents_order({ actor })
  return m.audit_setting_vice_presidents({ actor })
}
