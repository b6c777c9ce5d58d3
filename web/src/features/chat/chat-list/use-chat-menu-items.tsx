import { Archive, ArchiveRestore, Bell, BellOff, EyeOff } from 'lucide-react'
import { isMuted, setMuted } from '#domain/chat-muting.ts'
import type { ChatSummary } from '#features/chat/chat-types.ts'
import { refreshChats, showUndo } from '#features/chat/show-undo.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/supabase/notify-error.ts'
import { useUserId } from '#lib/supabase/session.ts'
import { useNow } from '#lib/use-now.ts'
import type { MenuItem } from '#ui/menu.tsx'
import { setArchived, setHidden } from './chat-actions.ts'

/** What a member can do with a chat just for themselves. The mandatory chat stays in everybody's list. */
export function useChatMenuItems(chat: ChatSummary): MenuItem[] {
  const memberId = useUserId()
  const muted = isMuted(chat, useNow())
  const { chat_id: id, is_archived: isArchived } = chat

  function run(work: () => Promise<void>, done?: () => void) {
    work()
      .then(refreshChats)
      .then(done)
      .catch((error: unknown) => showError(m.chat_error_changing(), error))
  }

  const mute: MenuItem = {
    label: muted ? m.chat_unmute() : m.chat_mute(),
    icon: muted ? <Bell /> : <BellOff />,
    onSelect: () => run(() => setMuted(memberId, id, !muted)),
  }
  if (chat.type === 'mandatory') return [mute]

  const archive = (on: boolean) => setArchived(memberId, id, on)
  const hide = (on: boolean) => setHidden(memberId, id, on)
  return [
    mute,
    isArchived
      ? {
          label: m.chat_unarchive(),
          icon: <ArchiveRestore />,
          onSelect: () => run(() => archive(false)),
        }
      : {
          label: m.chat_archive(),
          icon: <Archive />,
          onSelect: () =>
            run(
              () => archive(true),
              () => showUndo(m.chat_archived_notice(), () => archive(false)),
            ),
        },
    {
      label: m.chat_hide(),
      icon: <EyeOff />,
      onSelect: () =>
        run(
          () => hide(true),
          () => showUndo(m.chat_hidden_notice(), () => hide(false)),
        ),
    },
  ]
}
