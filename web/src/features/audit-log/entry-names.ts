import { nameOrAddress } from '#domain/member-name.ts'
import { formatNames, MOST_NAMED } from '#lib/i18n/format-list.ts'
import { m } from '#lib/messages/messages.js'
import type { AuditEntry } from './audit-queries.ts'

/** A member or an invited person, by the name they have now. */
export function nameIn({ names }: AuditEntry, id: string | null | undefined): string {
  const known = names[id ?? '']
  return known ? nameOrAddress(known) : m.audit_somebody()
}

/** Who did it. */
export function actorName(entry: AuditEntry): string {
  return entry.actor_id ? nameIn(entry, entry.actor_id) : m.audit_server()
}

/** The first few by name, and how many more there are. */
export function listPeople(entry: AuditEntry, ids: readonly string[], count: number): string {
  const names = ids.slice(0, MOST_NAMED).map((id) => nameIn(entry, id))
  return formatNames(names, count)
}
