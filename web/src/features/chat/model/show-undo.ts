import { queryClient } from '#data/query-client.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { showToast } from '#ui/toast-store.ts'

/** Says what was done, with a way to take it back. */
export function showUndo(text: string, undo: () => Promise<void>) {
  function takeBack() {
    undo()
      .then(refreshChats)
      .catch((error: unknown) => showError(m.chat_error_changing(), error))
  }
  showToast(text, takeBack)
}

/** The lists of chats are in two places: the chats, and the member's own row. */
export async function refreshChats() {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['chats'] }),
    queryClient.invalidateQueries({ queryKey: ['users', 'own'] }),
  ])
}
