import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useUserId } from '#lib/supabase/session.ts'
import { catchUp } from './catch-up.ts'
import { loadAround } from './load-around.ts'
import { loadMessage, loadNewest, messagesQuery } from './message-queries.ts'
import type { MessageWindow } from './message-window.ts'

/** The list's scroll target, null for the latest message; `count` distinguishes repeated jumps. */
export type JumpTarget = { messageId: string | null; count: number }

const HIGHLIGHT_MS = 2_500

export type Jump = {
  target: JumpTarget | null
  /** The message jumped to, briefly highlighted. */
  highlightedId: string | null
  to: (messageId: string) => void
  toLatest: () => void
}

/** Jumps to a message anywhere in the history, loading its surroundings if needed. */
export function useJump(chatId: string, linkedId: string | null): Jump {
  const client = useQueryClient()
  const memberId = useUserId()
  const [target, setTarget] = useState<JumpTarget | null>(null)
  const [highlightedId, setHighlightedId] = useState<string | null>(null)
  const { queryKey } = messagesQuery(chatId, memberId)

  function aim(messageId: string | null) {
    setHighlightedId(messageId)
    if (messageId) {
      setTimeout(() => setHighlightedId((id) => (id === messageId ? null : id)), HIGHLIGHT_MS)
    }
    setTarget((before) => ({ messageId, count: (before?.count ?? 0) + 1 }))
  }

  function load(work: Promise<MessageWindow | null>, messageId: string | null) {
    work
      .then((window) => {
        if (!window) return
        client.setQueryData(queryKey, window)
        aim(messageId)
        return catchUp(client, chatId, memberId)
      })
      .catch((error: unknown) => console.warn('Could not load the surrounding messages', error))
  }

  function to(messageId: string) {
    const window = client.getQueryData(queryKey)
    if (window?.messages.some(({ id }) => id === messageId)) aim(messageId)
    else load(loadAroundMessage(chatId, messageId, memberId), messageId)
  }

  function toLatest() {
    if (client.getQueryData(queryKey)?.hasNewer) load(loadNewest(chatId, memberId), null)
    else aim(null)
  }

  useEffect(() => {
    if (!linkedId) return
    // After the first page, which would otherwise arrive later and replace this one.
    client
      .ensureQueryData(messagesQuery(chatId, memberId))
      .then(() => to(linkedId))
      // The thread itself says that it could not be loaded.
      .catch((error: unknown) => console.warn('Could not open the linked message', error))
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only the address decides; the functions change with every drawing
  }, [linkedId, chatId])

  return { target, highlightedId, to, toLatest }
}

async function loadAroundMessage(
  chatId: string,
  messageId: string,
  memberId: string,
): Promise<MessageWindow | null> {
  const target = await loadMessage(messageId, memberId)
  // It doesn't exist (anymore).
  if (!target || target.chat_id !== chatId) return null
  return loadAround(chatId, memberId, target.sent_at)
}
