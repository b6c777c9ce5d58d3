import type { AuditEntry } from './audit-queries.ts'

export const NAMES = {
  dana: { first_name: 'Dana', last_name: 'Reyes', email: 'dana@example.com' },
  marcus: { first_name: 'Marcus', last_name: 'Bell', email: 'marcus@example.com' },
  ana: { first_name: 'Ana', last_name: '', email: null },
  ben: { first_name: 'Ben', last_name: '', email: null },
}

/** For tests: an entry by Dana. */
export function anEntry(some: Partial<AuditEntry>): AuditEntry {
  return {
    id: 1,
    recorded_at: '2026-11-20T15:00:00Z',
    actor_id: 'dana',
    kind: 'member',
    action: 'changed',
    object_id: 'marcus',
    object_name: null,
    people: ['marcus'],
    people_count: some.people?.length ?? 1,
    before: null,
    after: null,
    details: {},
    names: NAMES,
    ...some,
  }
}
