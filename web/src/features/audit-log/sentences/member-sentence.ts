import { m } from '#lib/messages/messages.js'
import type { AuditEntry } from '#features/audit-log/audit-queries.ts'
import { actorName, nameIn } from '#features/audit-log/entry-names.ts'
import { fieldName } from '#features/audit-log/field-names.ts'
import { columnsOf, textOf } from './changed-fields.ts'

const PERMISSIONS = ['rally_enabled', 'can_create_chats', 'can_send_messages', 'can_supervise']

/** Joining, status, role, permissions, sponsor and second factor of a member. */
export function memberSentence(entry: AuditEntry): string | undefined {
  const names = { actor: actorName(entry), member: nameIn(entry, entry.object_id) }
  switch (entry.action) {
    case 'joined':
      return entry.after?.status === 'waiting'
        ? m.audit_member_asked(names)
        : m.audit_member_joined(names)
    case 'erased':
      return m.audit_member_erased(names)
    case 'second_factor_on':
      return m.audit_member_two_step_on(names)
    case 'second_factor_off':
      return m.audit_member_two_step_off(names)
    case 'second_factor_added':
      return m.audit_member_two_step_added(names)
    case 'second_factor_removed':
      return m.audit_member_two_step_removed(names)
    case 'second_factor_reset':
      return m.audit_member_two_step_reset(names)
    case 'recovery_code_used':
      return m.audit_member_recovery_code(names)
    case 'changed':
      return changeSentence(entry, names)
  }
}

type Names = { actor: string; member: string }

function changeSentence(entry: AuditEntry, names: Names): string | undefined {
  const { before, after } = entry
  const isOwn = entry.actor_id === entry.object_id
  // By the set-up code, which lets in as well.
  if (after?.role === 'admin' && isOwn) return m.audit_member_became_admin(names)
  if (after?.status)
    return statusSentence(textOf(before?.status), textOf(after.status), isOwn, names)
  if (after?.role === 'admin') return m.audit_member_admin(names)
  if (after?.role) return m.audit_member_user(names)
  if (after && 'sponsor_id' in after) return sponsorSentence(entry, names)
  const [column, ...others] = columnsOf(entry)
  if (!column || !PERMISSIONS.includes(column)) return undefined
  if (others.length > 0) return m.audit_member_permissions(names)
  const permission = fieldName('member', column)
  return after?.[column]
    ? m.audit_member_permission_on({ ...names, permission })
    : m.audit_member_permission_off({ ...names, permission })
}

function statusSentence(from: string, to: string, isOwn: boolean, names: Names) {
  switch (to) {
    case 'waiting':
      if (isOwn) return m.audit_member_asked(names)
      return from === 'active'
        ? m.audit_member_approval_undone(names)
        : m.audit_member_decline_undone(names)
    case 'suspended':
      return m.audit_member_suspended(names)
    case 'declined':
      return m.audit_member_declined(names)
    case 'removed':
      // Until a status of its own, declining was removing somebody who waited.
      return from === 'waiting' ? m.audit_member_declined(names) : m.audit_member_removed(names)
    case 'deleted':
      return isOwn ? m.audit_member_left(names) : m.audit_member_account_deleted(names)
    case 'active':
      if (from !== 'waiting' && from !== 'declined') return m.audit_member_readmitted(names)
      return isOwn ? m.audit_member_joined(names) : m.audit_member_approved(names)
  }
}

function sponsorSentence(entry: AuditEntry, names: Names) {
  const from = textOf(entry.before?.sponsor_id)
  const to = textOf(entry.after?.sponsor_id)
  if (!to) return m.audit_member_sponsor_none(names)
  if (!from) return m.audit_member_sponsor({ ...names, sponsor: nameIn(entry, to) })
  return m.audit_member_sponsor_moved({
    ...names,
    from: nameIn(entry, from),
    to: nameIn(entry, to),
  })
}
