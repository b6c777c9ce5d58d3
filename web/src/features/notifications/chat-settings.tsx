import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { notificationLevel, setMuted } from '#domain/chat-muting.ts'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/supabase/notify-error.ts'
import { useUserId } from '#lib/supabase/session.ts'
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
  const queryClient = useQueryClient()
  const query = chatSettingsQuery(userId)
  const { data, error, refetch, dataUpdatedAt } = useQuery(query)
  const [showsAll, setShowsAll] = useState(false)
  const change = useMutation({
    mutationFn: ({ chatId, isOn }: { chatId: string; isOn: boolean }) =>
      setMuted(userId, chatId, !isOn),
    onMutate: async ({ chatId, isOn }) => {
      await queryClient.cancelQueries(query)
      queryClient.setQueryData(query.queryKey, (chats) => withChat(chats, chatId, isOn))
    },
    onError: (failure) => showError(m.notifications_error_saving(), failure),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['chats'] }),
  })
  if (!data && error) {
    return <LoadError error={error} describe={loadingFailed} onRetry={() => void refetch()} />
  }
  if (!data?.length) return null
  const shown = showsAll ? data : data.slice(0, SHOWN_AT_FIRST)
  return (
    <Card className="grid grid-cols-1 gap-1">
      <h2 className="font-semibold">{m.notifications_chats()}</h2>
      <p className="text-note text-muted">{m.notifications_chats_hint()}</p>
      <ul className="grid gap-1">
        {shown.map((chat) => (
          <li key={chat.chat_id} className="grid">
            <Switch
              label={chat.title}
              checked={notificationLevel(chat, dataUpdatedAt) !== 'nothing'}
              onChange={({ target }) =>
                change.mutate({ chatId: chat.chat_id, isOn: target.checked })
              }
            />
            {notificationLevel(chat, dataUpdatedAt) === 'mentions' && (
              <p className="text-note text-muted">{m.chat_notify_mentions()}</p>
            )}
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

function withChat(chats: ChatSetting[] | undefined, chatId: string, isOn: boolean) {
  return chats?.map((chat) =>
    chat.chat_id === chatId ? { ...chat, muted_until: isOn ? null : 'infinity' } : chat,
  )
}
