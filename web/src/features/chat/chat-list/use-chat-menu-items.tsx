import { useQueryClient } from '@tanstack/react-query'
import { Archive, ArchiveRestore, Bell, BellOff, EyeOff } from 'lucide-react'
import type { ChatSummary } from '#features/chat/chat-types.ts'
import { isMuted, setMuted } from '#lib/chat-muting.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/notify-error.ts'
import { useUserId } from '#lib/session.ts'
import { useNow } from '#lib/use-now.ts'
import type { MenuItem } from '#ui/menu.tsx'
import { showToast } from '#ui/toast-store.ts'
import { setArchived, setHidden } from './chat-actions.ts'

/** What a member can do with a chat for themselves alone. */
export function useChatMenuItems(chat: ChatSummary): MenuItem[] {
  const memberId = useUserId()
  const client = useQueryClient()
  const muted = isMuted(chat, useNow())

  function run(work: () => Promise<void>, done?: string) {
    work()
      .then(() => client.invalidateQueries({ queryKey: ['chats'] }))
      .then(() => client.invalidateQueries({ queryKey: ['users', 'own'] }))
      .then(() => done && showToast(done))
      .catch((error: unknown) => showError(m.chat_error_changing(), error))
  }

  return [
    {
      label: muted ? m.chat_unmute() : m.chat_mute(),
      icon: muted ? <Bell /> : <BellOff />,
      onSelect: () => run(() => setMuted(memberId, chat.chat_id, !muted)),
    },
    {
      label: chat.is_archived ? m.chat_unarchive() : m.chat_archive(),
      icon: chat.is_archived ? <ArchiveRestore /> : <Archive />,
      onSelect: () => run(() => setArchived(memberId, chat.chat_id, !chat.is_archived)),
    },
    {
      label: m.chat_hide(),
      icon: <EyeOff />,
      onSelect: () => run(() => setHidden(memberId, chat.chat_id, true), m.chat_hidden_notice()),
    },
  ]
}
