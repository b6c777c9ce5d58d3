import { AtSign, Bell, BellOff } from 'lucide-react'
import { useUserId } from '#data/session/session.ts'
import { levelChange, muting, notificationLevel } from '#domain/chat-muting.ts'
import { useMutingChange } from '#domain/use-muting-change.ts'
import { chatListQuery } from '#features/chat/model/chat-queries.ts'
import type { ChatSummary } from '#features/chat/model/chat-types.ts'
import { m } from '#lib/messages/messages.js'
import { useNow } from '#lib/use-now.ts'
import type { MenuItem } from '#ui/menu.tsx'
import { SegmentedControl } from '#ui/segmented-control.tsx'

/** What of the chat notifies the member, as items of its menu. */
export function useLevelItems(chat: ChatSummary): MenuItem[] {
  const change = useLevelChange(chat)
  const level = notificationLevel(chat, useNow())
  const isMuted = level === 'nothing'
  const onlyMentions = level === 'mentions'
  return [
    {
      label: isMuted ? m.chat_unmute() : m.chat_mute(),
      icon: isMuted ? <Bell /> : <BellOff />,
      onSelect: () => change(muting(!isMuted)),
    },
    {
      label: onlyMentions ? m.chat_notify_all_messages() : m.chat_notify_mentions_only(),
      icon: onlyMentions ? <Bell /> : <AtSign />,
      onSelect: () => change(levelChange(onlyMentions ? 'all' : 'mentions')),
    },
  ]
}

/** The same as a choice between all three. */
export function LevelChoice({ chat }: { chat: ChatSummary }) {
  const change = useLevelChange(chat)
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold">{m.chat_notify()}</h3>
      <SegmentedControl
        label={m.chat_notify()}
        options={[
          { value: 'all', label: m.chat_notify_all() },
          { value: 'mentions', label: m.chat_notify_mentions() },
          { value: 'nothing', label: m.chat_notify_nothing() },
        ]}
        value={notificationLevel(chat, useNow())}
        onChange={(level) => change(levelChange(level))}
      />
    </section>
  )
}

function useLevelChange({ chat_id }: ChatSummary) {
  const { queryKey } = chatListQuery(useUserId())
  return useMutingChange(chat_id, queryKey, m.chat_error_changing).mutate
}
