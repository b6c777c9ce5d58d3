import { MessagesSquare } from 'lucide-react'
import { useLocation, useParams } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { classNames } from '#ui/class-names.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { ChatListPane } from './chat-list/chat-list-pane.tsx'
import { CreateChatPane } from './create-chat/create-chat-pane.tsx'
import { ThreadPane } from './thread/thread-pane.tsx'

/** Every chat route: one pane at a time on a phone, the list beside the thread from 1024 px. */
export function ChatScreen() {
  const { chatId } = useParams()
  const isCreating = useLocation().pathname.replace(/\/$/, '') === '/chat/create'
  const isListOnly = !chatId && !isCreating
  return (
    <div className="h-full lg:grid lg:grid-cols-[360px_minmax(0,1fr)]">
      <div
        className={classNames(
          'h-full min-h-0 lg:border-r lg:border-line',
          !isListOnly && 'max-lg:hidden',
        )}
      >
        <ChatListPane openChatId={chatId ?? null} />
      </div>
      <div
        data-arrival={isListOnly ? undefined : 'deeper'}
        className={classNames('h-full min-h-0', isListOnly && 'max-lg:hidden')}
      >
        {isCreating && <CreateChatPane />}
        {chatId && !isCreating && <ThreadPane key={chatId} chatId={chatId} />}
        {isListOnly && (
          <div className="grid h-full place-content-center">
            <EmptyState picture={<MessagesSquare />} title={m.chat_pick_one()} />
          </div>
        )}
      </div>
    </div>
  )
}
