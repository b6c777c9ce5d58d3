import { useQuery, useQueryClient } from '@tanstack/react-query'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/notify-error.ts'
import { ownProfileQuery } from '#lib/own-profile.ts'
import { useUserId } from '#lib/session.ts'
import { TextButton } from '#ui/text-button.tsx'
import { showAllHidden } from './chat-actions.ts'

/** How many chats are hidden, with the way to bring them back. */
export function HiddenChatsNote() {
  const memberId = useUserId()
  const client = useQueryClient()
  const { data: profile } = useQuery(ownProfileQuery(memberId))
  const count = profile?.hidden_chats?.length ?? 0
  if (count === 0) return null

  function show() {
    showAllHidden(memberId)
      .then(() => client.invalidateQueries({ queryKey: ['users', 'own'] }))
      .then(() => client.invalidateQueries({ queryKey: ['chats'] }))
      .catch((error: unknown) => showError(m.chat_error_changing(), error))
  }

  return (
    <p className="flex items-center justify-center gap-1 pt-3 pb-7 text-note text-muted">
      {m.chat_hidden_count({ count })} ·
      <TextButton onClick={show}>{m.chat_hidden_show_again()}</TextButton>
    </p>
  )
}
