import { MessagesSquare } from 'lucide-react'
import { Link, useLocation, useParams } from 'react-router'
import { useBlockedIds } from '#domain/blocked-people.ts'
import { usePermissions } from '#features/chat/model/use-permissions.ts'
import { m } from '#lib/messages/messages.js'
import { buttonLook } from '#ui/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { ChatListPane } from './chat-list/chat-list-pane.tsx'
import { CreateChatPane } from './create-chat/create-chat-pane.tsx'
import { ThreadPane } from './thread/thread-pane.tsx'

/** Every chat route: one pane at a time on a phone, list and thread side by side from 1024 px. */
export function ChatScreen() {
  const { chatId } = useParams()
  const isCreating = useLocation().pathname.replace(/\/$/, '') === '/chat/create'
  const isListOnly = !chatId && !isCreating
  // Every row and bubble asks whom the member hides; here it is read together with the chats.
  useBlockedIds()
  return (
    <div className="h-full lg:grid lg:grid-cols-[360px_minmax(0,1fr)]">
      <div
        className={classNames(
          'h-full min-h-0 lg:border-r lg:border-line',
          !isListOnly && 'max-lg:hidden',
        )}
      >
        <ChatListPane openChatId={chatId ?? null} isSecondary={!isListOnly} />
      </div>
      <div
        data-arrival={isListOnly ? undefined : 'deeper'}
        className={classNames('h-full min-h-0', isListOnly && 'max-lg:hidden')}
      >
        {isCreating && <CreateChatPane />}
        {chatId && !isCreating && <ThreadPane key={chatId} chatId={chatId} />}
        {isListOnly && <NoneOpen />}
      </div>
    </div>
  )
}

/** Nothing is open next to the list yet. */
function NoneOpen() {
  const { canCreateChats } = usePermissions()
  return (
    <div className="grid h-full place-content-center">
      <EmptyState
        picture={<MessagesSquare />}
        title={m.chat_pick_one()}
        {...(canCreateChats && {
          text: m.chat_pick_one_hint(),
          action: (
            <Link to="/chat/create" className={buttonLook('tint')}>
              {m.chat_create_open()}
            </Link>
          ),
        })}
      />
    </div>
  )
}
