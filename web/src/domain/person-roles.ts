import { m } from '#lib/messages/messages.js'

type WithRoles = { role: string; can_supervise: boolean; is_vice_president: boolean }

/** What a member is on the team besides a member, in words. */
export function roleNames({ role, can_supervise, is_vice_president }: WithRoles): string[] {
  return [
    ...(is_vice_president ? [m.people_vice_president()] : []),
    ...(role === 'admin' ? [m.people_admin()] : []),
    ...(can_supervise ? [m.people_supervisor()] : []),
  ]
}
