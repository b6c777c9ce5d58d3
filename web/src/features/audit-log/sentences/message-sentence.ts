import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import type { AuditEntry } from '#features/audit-log/audit-queries.ts'
import { actorName, nameIn } from '#features/audit-log/entry-names.ts'

/** A message that somebody other than its sender removed. */
export function messageSentence(entry: AuditEntry): string | undefined {
  const names = { actor: actorName(entry), member: nameIn(entry, entry.people[0]) }
  switch (entry.action) {
    case 'removed':
      return entry.object_name
        ? m.audit_message_removed_in({ ...names, title: entry.object_name })
        : m.audit_message_removed(names)
    case 'restored':
      return m.audit_message_restored(names)
    case 'erased':
      return m.audit_message_erased({ ...names, count: formatCount(entry.details.count ?? 1) })
  }
}
