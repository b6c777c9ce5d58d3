import { useQuery } from '@tanstack/react-query'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { addressableChatsQuery } from './notice-queries.ts'
import type { NoticeForm } from './notice-schema.ts'

type SendQuestionProps = {
  filledIn: NoticeForm
  /** To how many others it would go. */
  count: number
  onConfirm: () => void
  onCancel: () => void
}

/** Before a notice goes out: to how many, and to whom in words. */
export function SendQuestion({ filledIn, count, onConfirm, onCancel }: SendQuestionProps) {
  const { audience, chatId } = filledIn
  const chats = useQuery({ ...addressableChatsQuery(), enabled: audience === 'chat' })
  const chat = chats.data?.find(({ id }) => id === chatId)?.name ?? ''
  const sentences = [
    count > 0 ? audienceWords(filledIn, chat) : m.notifications_ask_nobody_text(filledIn),
    filledIn.isUrgent && m.notifications_ask_urgent(),
    m.notifications_ask_final(),
  ]
  return (
    <ConfirmDialog
      open
      title={
        count > 0
          ? m.notifications_ask({ count: formatCount(count) })
          : m.notifications_ask_nobody()
      }
      text={sentences.filter(Boolean).join(' ')}
      confirmLabel={m.notifications_send_now()}
      onConfirm={onConfirm}
      onCancel={onCancel}
    />
  )
}

function audienceWords({ title, audience, role }: NoticeForm, chat: string): string {
  if (audience === 'chat') return m.notifications_ask_chat({ title, chat })
  if (audience === 'members') return m.notifications_ask_members({ title })
  if (audience === 'all') return m.notifications_ask_all({ title })
  return role === 'admin'
    ? m.notifications_ask_admins({ title })
    : m.notifications_ask_no_admins({ title })
}
