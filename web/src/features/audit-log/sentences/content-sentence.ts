import { m } from '#lib/messages/messages.js'
import type { AuditEntry } from '#features/audit-log/audit-queries.ts'
import { actorName } from '#features/audit-log/entry-names.ts'
import { columnsOf, fieldList, onlyChange } from './changed-fields.ts'

const LISTS: Record<string, () => string> = {
  home: m.admin_home_screen,
  training: m.admin_training_content,
  newrepstart: m.admin_new_rep_start,
  licensing: m.admin_licensing,
  schedule: m.admin_schedule,
}

/** An item of the five lists of content, or their order. */
export function contentSentence(entry: AuditEntry): string | undefined {
  const list = LISTS[entry.details.list ?? '']?.() ?? ''
  const names = { actor: actorName(entry), title: entry.object_name ?? '', list }
  switch (entry.action) {
    case 'created':
      return m.audit_content_created(names)
    case 'deleted':
      return m.audit_content_deleted(names)
    case 'reordered':
      return m.audit_content_reordered(names)
    case 'changed': {
      // Restoring an item may come with other changes, but is what matters.
      if (columnsOf(entry).includes('is_active'))
        return entry.after?.is_active
          ? m.audit_content_restored(names)
          : m.audit_content_retired(names)
      const change = onlyChange(entry)
      return change
        ? m.audit_changed_to({ ...names, ...change })
        : m.audit_changed({ ...names, fields: fieldList(entry) })
    }
  }
}
