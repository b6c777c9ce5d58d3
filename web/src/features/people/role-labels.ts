import { m } from '#lib/messages/messages.js'
import type { PeopleRole } from './people-queries.ts'

const LABELS: Record<PeopleRole, () => string> = {
  vice_president: m.people_vice_presidents,
  admin: m.people_admins,
  supervisor: m.people_supervisors,
  sponsor: m.people_sponsors,
}

export function roleLabel(role: PeopleRole): string {
  return LABELS[role]()
}
