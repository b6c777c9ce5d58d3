import { randomUUID } from 'node:crypto'
import { call } from './team.ts'
import { bringsRows, succeeds, type Attempts, type Occasion } from './rights-cases.ts'

const member = ({ scene }: Occasion) => scene.cast.member.id
const LATER = '2099-01-01T00:00:00Z'

/** Published to the member only, or scheduled. */
async function aNotice(occasion: Occasion, { isPublished = true } = {}): Promise<string> {
  const [notice] = await occasion.scene.team.sql<{ id: string }>(
    `insert into public.team_notices (title, audience, audience_members, must_acknowledge, scheduled_for, created_by)
     values ('Read me', 'members', $1, true, $2, $3) returning id`,
    [[member(occasion)], isPublished ? null : LATER, occasion.scene.cast.admin.id],
  )
  if (!notice) throw new Error('no notice was made')
  return notice.id
}

const argsOf = (name: string, id: string) => {
  if (name === 'mark_notifications_read') return { until: 'infinity' }
  return name === 'mark_notices_shown' ? { notice_ids: [id] } : { notice_id: id }
}

/** Whether the call set the column in the member's receipt, whatever it returned. */
async function marks(occasion: Occasion, name: string, column: string): Promise<boolean> {
  const id = await aNotice(occasion)
  await occasion.me.client.rpc(name, argsOf(name, id))
  const marked = await occasion.scene.team.sql(
    `select from public.notice_receipts where notice_id = $1 and ${column} is not null`,
    [id],
  )
  return marked.length > 0
}

const change = async (occasion: Occasion, values: object, wishes?: { isPublished: boolean }) => {
  const id = await aNotice(occasion, wishes)
  const notices = occasion.me.client.from('team_notices')
  return bringsRows(notices.update(values).eq('id', id).select('id'))
}

export const noticeAttempts: Attempts = {
  'select a notice to the member from team_notices': async (occasion) => {
    const id = await aNotice(occasion)
    return bringsRows(occasion.me.client.from('team_notices').select('title').eq('id', id))
  },
  'select to whom else a notice went': async (occasion) => {
    const id = await aNotice(occasion)
    return bringsRows(
      occasion.me.client.from('team_notices').select('audience_members').eq('id', id),
    )
  },
  'select a notice still to come': async (occasion) => {
    const id = await aNotice(occasion, { isPublished: false })
    return bringsRows(occasion.me.client.from('team_notices').select('title').eq('id', id))
  },
  'write a notice': ({ me }) => {
    const notice = { id: randomUUID(), title: 'New', scheduled_for: LATER }
    return succeeds(me.client.from('team_notices').insert(notice))
  },
  'change a notice still to come': (occasion) =>
    change(occasion, { title: 'Changed' }, { isPublished: false }),
  'change a published notice': (occasion) => change(occasion, { title: 'Changed' }),
  'withdraw a published notice': (occasion) =>
    change(occasion, { cancelled_at: new Date().toISOString() }),
  'delete a notice for good': async (occasion) => {
    const id = await aNotice(occasion)
    return bringsRows(occasion.me.client.from('team_notices').delete().eq('id', id).select('id'))
  },
  "select the member's notice_receipts": async (occasion) => {
    const notice_id = await aNotice(occasion)
    return bringsRows(occasion.me.client.from('notice_receipts').select('*').match({ notice_id }))
  },
  "write into the member's notice_receipts": async (occasion) => {
    const notice_id = await aNotice(occasion)
    const values = { acknowledged_at: new Date().toISOString() }
    const receipts = occasion.me.client.from('notice_receipts')
    return bringsRows(receipts.update(values).match({ notice_id }).select())
  },
  "mark the member's notice with mark_notices_shown": (occasion) =>
    marks(occasion, 'mark_notices_shown', 'shown_at'),
  "mark the member's notice with mark_notice_opened": (occasion) =>
    marks(occasion, 'mark_notice_opened', 'opened_at'),
  "mark the member's notice with mark_notifications_read": (occasion) =>
    marks(occasion, 'mark_notifications_read', 'opened_at'),
  "acknowledge the member's notice with acknowledge_notice": (occasion) =>
    marks(occasion, 'acknowledge_notice', 'acknowledged_at'),
  "remind of the member's notice with remind_notice": (occasion) =>
    marks(occasion, 'remind_notice', 'reminded_at'),
  "see what became of the member's notice with notice_results": async (occasion) => {
    const notice_id = await aNotice(occasion)
    return bringsRows(occasion.me.client.rpc('notice_results', { notice_id }))
  },
  'take the reminders to mail with claim_reminder_mails': ({ me }) =>
    succeeds(me.client.rpc('claim_reminder_mails')),
  'list who has not acknowledged a notice with notice_unacknowledged': async (occasion) => {
    const notice_id = await aNotice(occasion)
    return bringsRows(occasion.me.client.rpc('notice_unacknowledged', { notice_id }))
  },
  "find the member's notice with my_notifications": async (occasion) => {
    const id = await aNotice(occasion)
    const { data } = (await occasion.me.client.rpc('my_notifications', { max_results: 500 })) as {
      data: { id: string }[] | null
    }
    return (data ?? []).some((each) => each.id === id)
  },
  "find the member's notice with my_unacknowledged_notices": async (occasion) => {
    const id = await aNotice(occasion)
    const { data } = await call<{ id: string }[]>(occasion.me, 'my_unacknowledged_notices')
    return (data ?? []).some((each) => each.id === id)
  },
  'count to how many a notice would go with count_notice_recipients': ({ me }) =>
    succeeds(me.client.rpc('count_notice_recipients', { audience: 'all' })),
  'count the own unread with unread_notification_count': ({ me }) =>
    succeeds(me.client.rpc('unread_notification_count')),
}
