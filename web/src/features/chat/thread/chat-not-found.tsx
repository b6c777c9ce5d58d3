import { MessageCircleQuestion } from 'lucide-react'
import { Link } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { buttonLook } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'

/** No such chat, or not one of the member's: which of the two stays unsaid. */
export function ChatNotFound() {
  return (
    <div className="grid h-full place-content-center">
      <EmptyState
        isPageTitle
        picture={<MessageCircleQuestion />}
        title={m.chat_not_found()}
        text={m.chat_not_found_hint()}
        action={
          <Link to="/chat" className={buttonLook('tint')}>
            {m.chat_back_to_chats()}
          </Link>
        }
      />
    </div>
  )
}
