import { useMutation, useQueryClient } from '@tanstack/react-query'
import { AtSign, Bell, BellOff } from 'lucide-react'
import {
  notificationLevel,
  setMuted,
  setNotificationLevel,
  type NotificationLevel,
} from '#domain/chat-muting.ts'
import { chatListQuery } from '#features/chat/chat-queries.ts'
import type { ChatSummary } from '#features/chat/chat-types.ts'
import { refreshChats } from '#features/chat/show-undo.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/supabase/notify-error.ts'
import { useUserId } from '#lib/supabase/session.ts'
import { useNow } from '#lib/use-now.ts'
import type { MenuItem } from '#ui/menu.tsx'
import { SegmentedControl } from '#ui/segmented-control.tsx'

/** What of the chat notifies the member, as items of its menu. */
export function useLevelItems(chat: ChatSummary): MenuItem[] {
  const memberId = useUserId()
  const level = notificationLevel(chat, useNow())
  const run = (work: Promise<void>) => {
    work.then(refreshChats).catch((error: unknown) => showError(m.chat_error_changing(), error))
  }
  const isMuted = level === 'nothing'
  const onlyMentions = level === 'mentions'
  return [
    {
      label: isMuted ? m.chat_unmute() : m.chat_mute(),
      icon: isMuted ? <Bell /> : <BellOff />,
      onSelect: () => run(setMuted(memberId, chat.chat_id, !isMuted)),
    },
    {
      label: onlyMentions ? m.chat_notify_all_messages() : m.chat_notify_mentions_only(),
      icon: onlyMentions ? <Bell /> : <AtSign />,
      onSelect: () =>
        run(setNotificationLevel(memberId, chat.chat_id, onlyMentions ? 'all' : 'mentions')),
    },
  ]
}

/** The same as a choice between all three. */
export function LevelChoice({ chat }: { chat: ChatSummary }) {
  const memberId = useUserId()
  const client = useQueryClient()
  const { queryKey } = chatListQuery(memberId)
  const { mutate } = useMutation({
    // The last choice is the one that stays.
    scope: { id: `notification level of ${chat.chat_id}` },
    mutationFn: (level: NotificationLevel) => setNotificationLevel(memberId, chat.chat_id, level),
    onMutate: async (level) => {
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, (chats) =>
        chats?.map((each) => (each.chat_id === chat.chat_id ? withLevel(each, level) : each)),
      )
    },
    onError: (error) => showError(m.chat_error_changing(), error),
    onSettled: refreshChats,
  })
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold">{m.chat_notify()}</h3>
      <SegmentedControl
        label={m.chat_notify()}
        options={[
          { value: 'all', label: m.chat_notify_all() },
          { value: 'mentions', label: m.chat_notify_mentions() },
          { value: 'nothing', label: m.chat_notify_nothing() },
        ]}
        value={notificationLevel(chat, useNow())}
        onChange={(level) => mutate(level)}
      />
    </section>
  )
}

function withLevel(chat: ChatSummary, level: NotificationLevel): ChatSummary {
  if (level === 'nothing') return { ...chat, muted_until: 'infinity' }
  return { ...chat, muted_until: null, mentions_only: level === 'mentions' }
}
