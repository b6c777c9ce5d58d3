import type { User } from '#auth/users.ts'
import type { Query } from '#postgres/statement.ts'

const LOG_TYPES = {
  login: 'account',
  logout: 'account',
  user_signedup: 'team',
  user_invited: 'team',
  user_deleted: 'team',
  user_modified: 'user',
  user_recovery_requested: 'user',
  user_reauthenticate_requested: 'user',
  user_confirmation_requested: 'user',
  user_repeated_signup: 'user',
  user_updated_password: 'user',
  token_refreshed: 'token',
  token_revoked: 'token',
  factor_in_progress: 'factor',
  factor_unenrolled: 'factor',
  challenge_created: 'factor',
  verification_attempted: 'factor',
  factor_deleted: 'factor',
} as const

export type AuditEntry = {
  action: keyof typeof LOG_TYPES
  /** Absent when a trusted server acts. */
  actor?: Pick<User, 'id' | 'email'>
  traits?: Record<string, unknown>
  address: string
}

/** The payload in hosted Supabase's format. */
export function auditPayload(entry: AuditEntry): Record<string, unknown> {
  return {
    action: entry.action,
    actor_id: entry.actor?.id ?? '00000000-0000-0000-0000-000000000000',
    actor_username: entry.actor?.email ?? 'service_role',
    actor_via_sso: false,
    log_type: LOG_TYPES[entry.action],
    ...(entry.traits ? { traits: entry.traits } : {}),
  }
}

export async function writeAuditLog(query: Query, entry: AuditEntry, now: Date): Promise<void> {
  await query({
    name: 'auth_audit',
    text: `
      insert into auth.audit_log_entries (id, payload, created_at, ip_address)
      values (gen_random_uuid(), $1, $2, $3)`,
    values: [auditPayload(entry), now, entry.address.slice(0, 64)],
  })
}
