import { m } from '#lib/messages/messages.js'
import type { AuditEntry } from '#features/audit-log/audit-queries.ts'
import { actorName, nameIn } from '#features/audit-log/entry-names.ts'
import { valueText } from '#features/audit-log/value-texts.ts'
import { columnsOf, fieldList } from './changed-fields.ts'

/** A supervisor's look at a chat, or what they changed of the lexicon and the sample. */
export function supervisionSentence(entry: AuditEntry): string | undefined {
  const actor = actorName(entry)
  const phrase = entry.object_name ?? ''
  switch (entry.action) {
    case 'looked':
      return lookSentence(entry, actor)
    case 'lexicon_added':
      return m.audit_lexicon_added({ actor, phrase })
    case 'lexicon_removed':
      return m.audit_lexicon_removed({ actor, phrase })
    case 'lexicon_changed':
      return changedSentence(entry, { actor, phrase })
    case 'sampling':
      return samplingSentence(entry, actor)
  }
}

/** A group by its name, a chat of two by who is in it. */
function lookSentence(entry: AuditEntry, actor: string) {
  const [one, other] = entry.people
  if (entry.object_name || !one || !other)
    return m.audit_looked_at({ actor, title: entry.object_name ?? '' })
  return m.audit_looked_at_two({ actor, one: nameIn(entry, one), other: nameIn(entry, other) })
}

function changedSentence(entry: AuditEntry, changed: { actor: string; phrase: string }) {
  if (columnsOf(entry).join() !== 'is_active')
    return m.audit_lexicon_changed({ ...changed, fields: fieldList(entry) })
  return entry.after?.is_active ? m.audit_lexicon_resumed(changed) : m.audit_lexicon_paused(changed)
}

function samplingSentence(entry: AuditEntry, actor: string) {
  const [from, to] = [entry.before, entry.after].map((row) =>
    valueText(entry, 'percent', row?.percent),
  ) as [string, string]
  const [leader] = entry.people
  return leader
    ? m.audit_sampling_line({ actor, name: nameIn(entry, leader), from, to })
    : m.audit_sampling_team({ actor, from, to })
}
