import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useUserId } from '#data/session/session.ts'
import { database } from '#data/supabase.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { showToast } from '#ui/toast-store.ts'

/** What the member saved in a chat. */
const savedIdsQuery = (chatId: string) =>
  queryOptions({
    queryKey: ['saved_messages', 'ids', chatId],
    queryFn: async () => {
      const { data } = await database
        .from('saved_messages')
        .select('message_id')
        .eq('chat_id', chatId)
        .throwOnError()
      return data.map((row) => row.message_id)
    },
  })

/** Whether a message is saved, asked once its menu opens, and how to change it. */
export function useSaved({ id, chat_id: chatId }: { id: string; chat_id: string }, asks: boolean) {
  const memberId = useUserId()
  const client = useQueryClient()
  const query = savedIdsQuery(chatId)
  const { data } = useQuery({ ...query, enabled: asks })
  const isSaved = data?.includes(id) ?? false

  async function change(isOn: boolean) {
    try {
      await (isOn ? save(id, memberId) : unsave(id))
      await client.invalidateQueries({ queryKey: ['saved_messages'] })
      showToast(isOn ? m.chat_saved_notice() : m.chat_unsaved_notice(), () => void change(!isOn))
    } catch (error) {
      showError(m.chat_error_changing_message(), error)
    }
  }

  return { isSaved, change: (isOn: boolean) => void change(isOn) }
}

async function save(messageId: string, memberId: string) {
  const row = { message_id: messageId, user_id: memberId }
  const { error, status } = await database.from('saved_messages').insert(row)
  // Already saved, on another device.
  if (error && status !== 409) throw error
}

async function unsave(messageId: string) {
  await database.from('saved_messages').delete().eq('message_id', messageId).throwOnError()
}
