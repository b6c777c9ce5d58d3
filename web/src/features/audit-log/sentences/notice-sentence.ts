import { formatMoment } from '#lib/i18n/format-moment.ts'
import { m } from '#lib/messages/messages.js'
import type { AuditEntry } from '#features/audit-log/audit-queries.ts'
import { actorName } from '#features/audit-log/entry-names.ts'
import { fieldList, onlyChange } from './changed-fields.ts'

export function noticeSentence(entry: AuditEntry): string | undefined {
  const names = { actor: actorName(entry), title: entry.object_name ?? '' }
  switch (entry.action) {
    case 'created': {
      const at = entry.after?.scheduled_for
      return typeof at === 'string'
        ? m.audit_notice_scheduled({ ...names, at: formatMoment(at) })
        : m.audit_notice_created(names)
    }
    case 'deleted':
      return m.audit_notice_deleted(names)
    case 'changed': {
      if (entry.after?.cancelled_at) return m.audit_notice_withdrawn(names)
      const change = onlyChange(entry)
      return change
        ? m.audit_changed_to({ ...names, ...change })
        : m.audit_changed({ ...names, fields: fieldList(entry) })
    }
  }
}
