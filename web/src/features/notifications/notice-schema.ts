import * as v from 'valibot'
import { completeAddress } from '#lib/complete-address.ts'
import { m } from '#lib/messages/messages.js'

export const LONGEST_TITLE = 100

/** The database enforces the same limits; the form reports them before submitting. */
export const noticeSchema = () =>
  v.pipe(
    v.object({
      title: v.pipe(
        v.string(),
        v.trim(),
        v.nonEmpty(m.notifications_title_required()),
        v.maxLength(LONGEST_TITLE, m.notifications_title_too_long()),
      ),
      body: v.pipe(v.string(), v.maxLength(2000, m.notifications_text_too_long())),
      link: v.pipe(
        v.string(),
        v.transform(completeAddress),
        v.regex(/^$|^https?:\/\/[^\s/?#]+\S*$|^\/(?!\/)\S*$/i, m.notifications_link_invalid()),
      ),
      audience: v.picklist(['all', 'role', 'chat', 'members']),
      role: v.picklist(['user', 'admin']),
      chatId: v.string(),
      members: v.array(
        v.object({
          id: v.string(),
          first_name: v.string(),
          last_name: v.string(),
          email: v.nullable(v.string()),
        }),
      ),
      isUrgent: v.boolean(),
      mustAcknowledge: v.boolean(),
      /** Local date and time; empty means now. */
      scheduledFor: v.string(),
    }),
    v.forward(
      v.check(
        ({ audience, chatId }) => audience !== 'chat' || chatId !== '',
        m.notifications_choose_chat(),
      ),
      ['chatId'],
    ),
    v.forward(
      v.check(
        ({ audience, members }) => audience !== 'members' || members.length > 0,
        m.notifications_choose_members(),
      ),
      ['members'],
    ),
    v.forward(
      v.check(
        // A slip of the year would reach everybody at once.
        ({ scheduledFor }) => scheduledFor === '' || Date.parse(scheduledFor) > Date.now(),
        m.notifications_time_passed(),
      ),
      ['scheduledFor'],
    ),
  )

export type NoticeForm = v.InferOutput<ReturnType<typeof noticeSchema>>

export const EMPTY_NOTICE: NoticeForm = {
  title: '',
  body: '',
  link: '',
  audience: 'all',
  role: 'user',
  chatId: '',
  members: [],
  isUrgent: false,
  mustAcknowledge: false,
  scheduledFor: '',
}
