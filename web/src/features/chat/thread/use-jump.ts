import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useUserId } from '#data/session/session.ts'
import { loadMessage, loadNewest, messagesQuery } from '#features/chat/model/message-queries.ts'
import { compareTimes, type MessageWindow } from '#features/chat/model/message-window.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { catchUp } from './catch-up.ts'
import { loadAround } from './load-around.ts'

/** The list's scroll target, null for the latest message; `count` distinguishes repeated jumps. */
export type JumpTarget = { messageId: string | null; count: number }

const HIGHLIGHT_MS = 2_500

export type Jump = {
  target: JumpTarget | null
  /** The message jumped to, briefly highlighted. */
  highlightedId: string | null
  to: (messageId: string) => void
  toLatest: () => void
  /** The first message of a day, such as 2026-11-23, or after it. */
  toDay: (day: string) => void
}

/** Jumps to a message anywhere in the history, loading its surroundings if needed. */
export function useJump(chatId: string, linkedId: string | null): Jump {
  const client = useQueryClient()
  const memberId = useUserId()
  const [target, setTarget] = useState<JumpTarget | null>(null)
  const [highlightedId, setHighlightedId] = useState<string | null>(null)
  // What draws the messages keeps these functions.
  const { to, toLatest, toDay } = useMemo(() => {
    function aim(messageId: string | null) {
      setHighlightedId(messageId)
      if (messageId) {
        setTimeout(() => setHighlightedId((id) => (id === messageId ? null : id)), HIGHLIGHT_MS)
      }
      setTarget((before) => ({ messageId, count: (before?.count ?? 0) + 1 }))
    }
    return jumpsOf({ client, chatId, memberId }, aim)
  }, [client, chatId, memberId])

  useEffect(() => {
    if (!linkedId) return
    // After the first page, which would otherwise arrive later and replace this one.
    client
      .ensureQueryData(messagesQuery(chatId, memberId))
      .then(() => to(linkedId))
      // The thread itself says that it could not be loaded.
      .catch((error: unknown) => console.warn('Could not open the linked message', error))
  }, [client, linkedId, chatId, memberId, to])

  return { target, highlightedId, to, toLatest, toDay }
}

type Place = { client: QueryClient; chatId: string; memberId: string }

/** Jumps within what is loaded, or loads the surroundings first; `aim` scrolls there. */
function jumpsOf({ client, chatId, memberId }: Place, aim: (messageId: string | null) => void) {
  const { queryKey } = messagesQuery(chatId, memberId)

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

  function toLatest() {
    if (client.getQueryData(queryKey)?.hasNewer) load(loadNewest(chatId, memberId), null)
    else aim(null)
  }

  async function loadDay(day: string) {
    // Midnight where the reader is.
    const begin = new Date(`${day}T00:00`).toISOString()
    const window = await loadAround(chatId, memberId, begin)
    const first = window.messages.find(({ sent_at }) => compareTimes(sent_at, begin) >= 0)
    if (!first) return toLatest()
    client.setQueryData(queryKey, window)
    aim(first.id)
    await catchUp(client, chatId, memberId)
  }

  return {
    to(messageId: string) {
      const window = client.getQueryData(queryKey)
      if (window?.messages.some(({ id }) => id === messageId)) aim(messageId)
      else load(loadAroundMessage(chatId, messageId, memberId), messageId)
    },
    toLatest,
    toDay(day: string) {
      loadDay(day).catch((error: unknown) => showError(m.chat_error_loading_chat(), error))
    },
  }
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
