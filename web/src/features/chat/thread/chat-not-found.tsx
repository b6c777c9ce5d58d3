import { useQuery } from '@tanstack/react-query'
import { MessageCircleQuestion } from 'lucide-react'
import { Link } from 'react-router'
import { departureQuery } from '#features/chat/model/chat-queries.ts'
import { m } from '#lib/messages/messages.js'
import { buttonLook } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { UnsentHere } from './unsent-here.tsx'

/** No such chat, or the member isn't in it; says which only to those who were in it. */
export function ChatNotFound({ chatId }: { chatId: string }) {
  const { data: departure } = useQuery(departureQuery(chatId))
  const title = departure?.title ?? ''
  const reason = departure?.was_removed
    ? m.chat_removed_hint({ title })
    : m.chat_left_hint({ title })
  return (
    <div className="grid h-full place-content-center">
      <EmptyState
        isPageTitle
        picture={<MessageCircleQuestion />}
        title={m.chat_not_found()}
        text={departure ? reason : m.chat_not_found_hint()}
        action={
          <Link to="/chat" className={buttonLook('tint')}>
            {m.chat_back_to_chats()}
          </Link>
        }
      />
      <UnsentHere chatId={chatId} />
    </div>
  )
}
