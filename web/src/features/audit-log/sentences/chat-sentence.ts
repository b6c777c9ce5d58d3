import { m } from '#lib/messages/messages.js'
import type { AuditEntry } from '#features/audit-log/audit-queries.ts'
import { actorName, listPeople, nameIn } from '#features/audit-log/entry-names.ts'
import { fieldList, textOf } from './changed-fields.ts'

/** A group, and who was added to it or taken out. */
export function chatSentence(entry: AuditEntry): string | undefined {
  const { before, after } = entry
  const names = { actor: actorName(entry), title: entry.object_name ?? '' }
  const people = listPeople(entry, entry.people, entry.people_count)
  switch (entry.action) {
    case 'created':
      return m.audit_chat_created(names)
    case 'deleted':
      return m.audit_chat_deleted(names)
    case 'members_added':
      return m.audit_chat_added({ ...names, people })
    case 'members_removed':
      return m.audit_chat_removed({ ...names, people })
    case 'changed':
      if (after && 'is_active' in after)
        return after.is_active ? m.audit_chat_reopened(names) : m.audit_chat_closed(names)
      if (after?.name)
        return m.audit_chat_renamed({
          ...names,
          from: textOf(before?.name),
          to: textOf(after.name),
        })
      if (after?.created_by)
        return m.audit_chat_given({ ...names, member: nameIn(entry, textOf(after.created_by)) })
      return m.audit_changed({ ...names, fields: fieldList(entry) })
  }
}
