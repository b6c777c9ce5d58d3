import {
  Archive,
  ArchiveRestore,
  EyeOff,
  MessageSquareDot,
  MessageSquareCheck,
  Pin,
  PinOff,
} from 'lucide-react'
import { useUserId } from '#data/session/session.ts'
import { setArchived, setHidden, setPinned } from '#features/chat/model/chat-actions.ts'
import type { ChatSummary } from '#features/chat/model/chat-types.ts'
import { refreshChats, showUndo } from '#features/chat/model/show-undo.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import type { MenuItem } from '#ui/menu.tsx'
import { useLevelItems } from './notification-level.tsx'
import { useUnreadMark } from './use-unread-mark.ts'

/** Everything in a chat's menu. */
export function useChatMenuItems(chat: ChatSummary): MenuItem[] {
  const { pin, unread, archive, hide } = useOwnChoices(chat)
  return itemsOf(pin, unread, ...useLevelItems(chat), archive, hide)
}

export function itemsOf(...items: (MenuItem | undefined)[]): MenuItem[] {
  return items.filter((item) => item !== undefined)
}

type OwnChoices = { unread: MenuItem; pin?: MenuItem; archive?: MenuItem; hide?: MenuItem }

/** What a member can do with a chat just for themselves. The mandatory chat stays at the top of everybody's list. */
export function useOwnChoices(chat: ChatSummary): OwnChoices {
  const memberId = useUserId()
  const { isUnread, mark } = useUnreadMark(chat)
  const { chat_id: id, is_archived: isArchived, is_pinned: isPinned } = chat

  const unread: MenuItem = {
    label: isUnread ? m.chat_mark_read() : m.chat_mark_unread(),
    icon: isUnread ? <MessageSquareCheck /> : <MessageSquareDot />,
    onSelect: () => void mark(!isUnread),
  }
  if (chat.type === 'mandatory') return { unread }

  const pin: MenuItem = {
    label: isPinned ? m.chat_unpin() : m.chat_pin(),
    icon: isPinned ? <PinOff /> : <Pin />,
    onSelect: () =>
      change(
        () => setPinned(id, !isPinned),
        isPinned ? m.chat_unpinned_notice() : m.chat_pinned_notice(),
        () => setPinned(id, isPinned),
      ),
  }
  // A chat that is put away loses its pin.
  const bringBack = (work: Promise<void>) =>
    isPinned ? work.then(() => setPinned(id, true)) : work
  const unarchive: MenuItem = {
    label: m.chat_unarchive(),
    icon: <ArchiveRestore />,
    onSelect: () =>
      change(
        () => setArchived(memberId, id, false),
        m.chat_unarchived_notice(),
        () => setArchived(memberId, id, true),
      ),
  }
  const archive: MenuItem = {
    label: m.chat_archive(),
    icon: <Archive />,
    onSelect: () =>
      change(
        () => setArchived(memberId, id, true),
        m.chat_archived_notice(),
        () => bringBack(setArchived(memberId, id, false)),
      ),
  }
  const hide: MenuItem = {
    label: m.chat_hide(),
    icon: <EyeOff />,
    onSelect: () =>
      change(
        () => setHidden(memberId, id, true),
        m.chat_hidden_notice(),
        () => bringBack(setHidden(memberId, id, false)),
      ),
  }
  return isArchived ? { unread, archive: unarchive, hide } : { unread, pin, archive, hide }
}

/** Does it, shows the list as it is then and offers to undo it. */
function change(work: () => Promise<void>, notice: string, undo: () => Promise<void>): void {
  work()
    .then(refreshChats)
    .then(() => showUndo(notice, undo))
    .catch((error: unknown) => showError(m.chat_error_changing(), error))
}
