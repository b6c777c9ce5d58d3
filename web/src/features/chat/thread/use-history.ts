import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useUserId } from '#data/session/session.ts'
import { loadPage, MESSAGE_PAGE_SIZE, messagesQuery } from '#features/chat/model/message-queries.ts'
import {
  addNewerPage,
  addOlderPage,
  syncedFrom,
  type MessageWindow,
  withoutFarNewer,
  withoutFarOlder,
} from '#features/chat/model/message-window.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { catchUp } from './catch-up.ts'

/** Loads more history at either end of the window, and forgets what is far from it; one load at a time. */
export function useHistory(chatId: string) {
  const client = useQueryClient()
  const memberId = useUserId()
  const isBusy = useRef(false)
  const [hasFailed, setHasFailed] = useState(false)
  const { queryKey } = messagesQuery(chatId, memberId)
  // One more than a page, because the page begins with a known message.
  const limit = MESSAGE_PAGE_SIZE + 1

  async function load(work: (window: MessageWindow) => Promise<void>) {
    const window = client.getQueryData(queryKey)
    if (isBusy.current || !window) return
    isBusy.current = true
    setHasFailed(false)
    try {
      await work(window)
    } catch (error) {
      setHasFailed(true)
      if (navigator.onLine) showError(m.chat_error_loading_chat(), error)
    }
    isBusy.current = false
  }

  function forget(part: typeof withoutFarNewer) {
    client.setQueryData(queryKey, (now) => now && part(now))
  }

  return {
    /** Whether the last load failed. */
    hasFailed,
    /** For a thread that grows at its end while it is followed there. */
    forgetFarOlder: () => forget(withoutFarOlder),
    loadOlder: () =>
      load(async ({ messages, hasOlder }) => {
        const until = messages[0]?.sent_at
        if (!hasOlder || !until) return
        forget(withoutFarNewer)
        const page = await loadPage({ chatId, memberId, until, limit })
        client.setQueryData(
          queryKey,
          (now) => now && addOlderPage(now, page, page.length === limit),
        )
      }),
    loadNewer: () =>
      load(async ({ messages, hasNewer }) => {
        const since = messages.at(-1)?.sent_at
        if (!hasNewer || !since) return
        forget(withoutFarOlder)
        const page = await loadPage({ chatId, memberId, since, limit })
        const hasMore = page.length === limit
        client.setQueryData(queryKey, (now) => {
          if (!now) return now
          const longer = addNewerPage(now, page, hasMore)
          return hasMore ? longer : { ...longer, syncedTo: syncedFrom(null, page) }
        })
        // Live messages during this load were ignored, since the end was not loaded yet.
        if (!hasMore) await catchUp(client, chatId, memberId)
      }),
  }
}
