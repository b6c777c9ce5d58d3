import type { SetupChecklist } from '#domain/setup-checklist.ts'
import { m } from '#lib/messages/messages.js'

/** The parts of the set-up, in the order in which they help most. */
const SETUP_ITEMS = [
  {
    id: 'welcome',
    name: m.setup_welcome,
    hint: m.setup_welcome_hint,
    to: '/admin-manage?type=home',
  },
  {
    id: 'vice_presidents',
    name: m.setup_vice_presidents,
    hint: m.setup_vice_presidents_hint,
    to: '/admin/members',
  },
  {
    id: 'time_zone',
    name: m.setup_time_zone,
    hint: m.setup_time_zone_hint,
    to: '/admin/settings',
  },
  {
    id: 'meeting',
    name: m.setup_meeting,
    hint: m.setup_meeting_hint,
    to: '/admin-manage?type=schedule',
  },
  {
    id: 'new_rep_start',
    name: m.setup_new_rep_start,
    hint: m.setup_new_rep_start_hint,
    to: '/admin-manage?type=newrepstart',
  },
  {
    id: 'invitations',
    name: m.setup_invitations,
    hint: m.setup_invitations_hint,
    to: '/admin/invite',
  },
  {
    id: 'second_admin',
    name: m.setup_second_admin,
    hint: m.setup_second_admin_hint,
    to: '/admin-manage?type=chat',
  },
  // Done where the server runs, so the screen explains how.
  { id: 'mail', name: m.setup_mail, hint: m.setup_mail_hint, how: m.setup_mail_how },
  {
    id: 'push',
    name: m.setup_push,
    hint: m.setup_push_hint,
    to: '/admin-manage?type=notifications',
  },
  { id: 'backup', name: m.setup_backup, hint: m.setup_backup_hint, how: m.setup_backup_how },
] as const

export type SetupItem = (typeof SETUP_ITEMS)[number] & { isDone: boolean }
export type ExplainedItem = Extract<SetupItem, { how: unknown }>

/** Every part of the set-up and whether it is done. */
export function setupItems(checklist: SetupChecklist): SetupItem[] {
  return SETUP_ITEMS.map((item) => ({ ...item, isDone: checklist[item.id] }))
}

/** Whether the list is shown: until everything is done, or the admin put it away. */
export function isSetupOpen(checklist: SetupChecklist | null | undefined): boolean {
  if (!checklist || checklist.is_put_away) return false
  return setupItems(checklist).some(({ isDone }) => !isDone)
}
