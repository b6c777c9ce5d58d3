import { ChevronLeft } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { Chat } from '#features/chat/model/chat-queries.ts'
import { useIsMemberOnline } from '#features/chat/model/use-online.ts'
import { ChatAvatar } from '#features/chat/parts/chat-avatar.tsx'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { loadedModal } from '#ui/loaded-modal.tsx'
import { Pressable } from '#ui/pressable.tsx'
import type { Jump } from './use-jump.ts'
import { useChatTitle } from './use-chat-title.ts'

// Loaded when it is first opened.
const ChatDetails = loadedModal(async () => (await import('./chat-details.tsx')).ChatDetails)

type ThreadHeaderProps = {
  chat: Chat
  /** How many others have this chat open. */
  hereCount: number
  jump: Jump
}

/** The chat's title and, on a phone, the way back to the list. Pressing it opens the details. */
export function ThreadHeader({ chat, hereCount, jump }: ThreadHeaderProps) {
  const { title, memberCount, otherId } = useChatTitle(chat)
  const isOnline = useIsMemberOnline(otherId)
  const [isOpen, setIsOpen] = useState(false)
  const isPair = chat.type === 'individual'
  return (
    <ThreadBar>
      <h1 data-title={title} className="min-w-0 flex-1 tracking-normal">
        <Pressable
          onClick={() => setIsOpen(true)}
          title={m.chat_details()}
          className="flex min-h-target max-w-full items-center gap-3 rounded-field px-2 text-left hover:bg-tint"
        >
          <ChatAvatar
            type={chat.type}
            title={title}
            seed={otherId ?? chat.id}
            isSmall
            isOnline={isOnline}
          />
          <span className="min-w-0">
            <span className="block truncate text-body leading-tight font-semibold">{title}</span>
            <span className="block truncate text-note leading-snug font-normal text-muted">
              {isPair && isOnline && m.chat_online()}
              {!isPair && m.chat_members({ count: formatCount(memberCount) })}
              {!isPair &&
                hereCount > 0 &&
                ` · ${m.chat_online_count({ count: formatCount(hereCount) })}`}
            </span>
          </span>
        </Pressable>
      </h1>
      {isOpen && (
        <ChatDetails chat={chat} title={title} jump={jump} onClose={() => setIsOpen(false)} />
      )}
    </ThreadBar>
  )
}

/** The bar above a thread, with the way back. */
export function ThreadBar({ children }: { children: ReactNode }) {
  return (
    <header className="flex flex-none items-center gap-1 border-b border-line bg-card px-3 pt-[max(0.625rem,env(safe-area-inset-top))] pb-2.5 lg:px-4 lg:py-3.5">
      <Link
        to="/chat"
        aria-label={m.chat_back()}
        className="grid size-11 flex-none place-items-center rounded-field hover:bg-tint lg:hidden"
      >
        <ChevronLeft aria-hidden="true" className="size-6" />
      </Link>
      {children}
    </header>
  )
}
