import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useUserId } from '#data/session/session.ts'
import { muting, notificationLevel } from '#domain/chat-muting.ts'
import { useMutingChange } from '#domain/use-muting-change.ts'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Switch } from '#ui/switch.tsx'
import { loadingFailed } from './loading-failed.ts'
import { chatSettingsQuery, type ChatSetting } from './notification-queries.ts'

const SHOWN_AT_FIRST = 6

/** Which chats are pushed. The same setting as Mute in the chat list. */
export function ChatSettings() {
  const userId = useUserId()
  const { data, error, refetch, dataUpdatedAt } = useQuery(chatSettingsQuery(userId))
  const [showsAll, setShowsAll] = useState(false)
  if (!data && error) {
    return <LoadError error={error} describe={loadingFailed} onRetry={() => void refetch()} />
  }
  if (!data?.length) return null
  const shown = showsAll ? data : data.slice(0, SHOWN_AT_FIRST)
  return (
    <Card className="grid grid-cols-1 gap-1">
      <h2 className="font-semibold">{m.notifications_chats()}</h2>
      <p className="text-note text-muted">{m.notifications_chats_hint()}</p>
      <ul className="grid grid-cols-1 gap-1">
        {shown.map((chat) => (
          <li key={chat.chat_id} className="grid">
            <ChatSwitch chat={chat} now={dataUpdatedAt} />
          </li>
        ))}
      </ul>
      {shown.length < data.length && (
        <Button
          size="sm"
          variant="ghost"
          className="justify-self-start"
          onClick={() => setShowsAll(true)}
        >
          {m.notifications_all_chats({ count: formatCount(data.length) })}
        </Button>
      )}
    </Card>
  )
}

function ChatSwitch({ chat, now }: { chat: ChatSetting; now: number }) {
  const { queryKey } = chatSettingsQuery(useUserId())
  const { mutate } = useMutingChange(chat.chat_id, queryKey, m.notifications_error_saving)
  const level = notificationLevel(chat, now)
  return (
    <>
      <Switch
        label={chat.title}
        checked={level !== 'nothing'}
        onChange={({ target }) => mutate(muting(!target.checked))}
      />
      {level === 'mentions' && <p className="text-note text-muted">{m.chat_notify_mentions()}</p>}
    </>
  )
}
