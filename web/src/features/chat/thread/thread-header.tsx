import { ChevronLeft } from 'lucide-react'
import { Link } from 'react-router'
import { ChatAvatar } from '#features/chat/chat-avatar.tsx'
import type { Chat } from '#features/chat/chat-queries.ts'
import { m } from '#lib/messages/messages.js'
import { useChatTitle } from './use-chat-title.ts'

/** Who the chat is with, and the way back to the list on a phone. */
export function ThreadHeader({ chat }: { chat: Chat }) {
  const { title, seed, memberCount } = useChatTitle(chat)
  return (
    <header className="flex flex-none items-center gap-3 border-b border-line bg-card px-3 pt-[max(0.625rem,env(safe-area-inset-top))] pb-2.5 lg:px-6 lg:py-4">
      <Link
        to="/chat"
        aria-label={m.chat_back()}
        className="-mr-1 grid size-11 flex-none place-items-center rounded-field hover:bg-tint lg:hidden"
      >
        <ChevronLeft aria-hidden="true" className="size-6" />
      </Link>
      <ChatAvatar type={chat.type} title={title} seed={seed} isSmall />
      <div className="min-w-0 flex-1">
        <h1 className="truncate text-base leading-tight font-semibold tracking-normal">{title}</h1>
        <p className="truncate text-[13px] text-muted">
          {chat.type !== 'individual' && memberCount > 0 && m.chat_members({ count: memberCount })}
        </p>
      </div>
    </header>
  )
}
