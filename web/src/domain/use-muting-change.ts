import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { invalidateWhenIdle } from '#data/live/read-again.ts'
import { useUserId } from '#data/session/session.ts'
import { showError } from '#lib/server/notify-error.ts'
import { saveMuting, type MutingChange } from './chat-muting.ts'

type Listed = { chat_id: string }

/** Changes what of a chat notifies the member, wherever they do so. `listKey`: the list of chats in which it shows at once. */
export function useMutingChange(chatId: string, listKey: QueryKey, failed: () => string) {
  const memberId = useUserId()
  const client = useQueryClient()
  const mutationKey = ['chats', 'level'] as const
  return useMutation({
    mutationKey,
    // The last of two quick changes must be stored last, whether it was made in a menu, a choice or a switch.
    scope: { id: `notification level of ${chatId}` },
    mutationFn: (change: MutingChange) => saveMuting(memberId, chatId, change),
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey: listKey })
      client.setQueryData<Listed[]>(listKey, (chats) =>
        chats?.map((chat) => (chat.chat_id === chatId ? { ...chat, ...change } : chat)),
      )
    },
    onError: (error) => showError(failed(), error),
    onSettled: () => invalidateWhenIdle(client, mutationKey),
  })
}
