import { useEffect } from 'react'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/notify-error.ts'

/** Alerts once per failed load, not again for each drawing of the screen. */
export function useChatListError({ error }: { error: unknown }): void {
  useEffect(() => {
    // A device without a connection shows what it knows; an alert would say nothing new.
    if (error && navigator.onLine) showError(m.chat_error_loading_chats(), error)
  }, [error])
}
