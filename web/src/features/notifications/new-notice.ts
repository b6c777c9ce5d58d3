import type { NewNotice } from './notice-queries.ts'
import type { NoticeForm } from './notice-schema.ts'

/** The row a filled-in form stands for. `id` is made by the client, so that sending twice cannot publish twice. */
export function newNotice(id: string, form: NoticeForm): NewNotice {
  const { audience } = form
  return {
    id,
    title: form.title,
    body: form.body,
    link: form.link || null,
    audience,
    audience_role: audience === 'role' ? form.role : null,
    audience_chat_id: audience === 'chat' ? form.chatId : null,
    audience_members: audience === 'members' ? form.members.map(({ id }) => id) : [],
    is_urgent: form.isUrgent,
    must_acknowledge: form.mustAcknowledge,
    scheduled_for: goesOutLater(form) ? new Date(form.scheduledFor).toISOString() : null,
  }
}

/** A time that has passed means now. */
export function goesOutLater({ scheduledFor }: NoticeForm): boolean {
  return scheduledFor !== '' && Date.parse(scheduledFor) > Date.now()
}
