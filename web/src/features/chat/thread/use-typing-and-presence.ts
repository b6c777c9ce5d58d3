import { useEffect, useState } from 'react'
import { watchTopic } from '#data/live/watch-topic.ts'
import { useUserId } from '#data/session/session.ts'
import { database } from '#data/supabase.ts'

/** How often typing is sent while keys are pressed; the database publishes it at most every 2 seconds. */
const SEND_EVERY_MS = 2_500
/** A member stops "typing" this long after their last event. */
const FORGET_AFTER_MS = 5_000

const lastSent = new Map<string, number>()

/** Announces that the member is typing. The database publishes it in the caller's own name. */
export function useSendTyping(chatId: string): () => void {
  return function sendTyping() {
    if (Date.now() - (lastSent.get(chatId) ?? 0) < SEND_EVERY_MS) return
    lastSent.set(chatId, Date.now())
    void database.rpc('publish_typing', { chat_id: chatId }).then(({ error }) => {
      if (error) console.warn('Sending typing failed', error)
    })
  }
}

export type TypingAndPresence = { typingIds: string[]; hereIds: string[] }

/** Who is typing in a chat and who has it open, as reported by their devices; none of it is stored. */
export function useTypingAndPresence(chatId: string): TypingAndPresence {
  const memberId = useUserId()
  const [lastTyped, setLastTyped] = useState<Record<string, number>>({})
  const [hereIds, setHereIds] = useState<string[]>([])

  useEffect(() => {
    const stop = watchTopic(
      `typing:${chatId}`,
      {
        onPresence: (keys) => setHereIds(keys.filter((key) => key !== memberId)),
        onEvent(event, { user_id }) {
          if (event !== 'typing' || typeof user_id !== 'string' || user_id === memberId) return
          setLastTyped((before) => ({ ...before, [user_id]: Date.now() }))
        },
      },
      { trackAs: memberId },
    )
    const unsubscribe = watchTopic(`chat:${chatId}`, {
      onEvent(event, { sender_id }) {
        // The message being typed has arrived.
        if (event === 'message_inserted')
          setLastTyped((before) => without(before, String(sender_id)))
      },
    })
    const timer = setInterval(() => setLastTyped(withoutOld), 1_000)
    return () => {
      stop()
      unsubscribe()
      clearInterval(timer)
    }
  }, [chatId, memberId])

  return { typingIds: Object.keys(lastTyped), hereIds }
}

function without(lastTyped: Record<string, number>, id: string): Record<string, number> {
  const { [id]: _, ...others } = lastTyped
  return id in lastTyped ? others : lastTyped
}

function withoutOld(lastTyped: Record<string, number>): Record<string, number> {
  const recent = Object.entries(lastTyped).filter(([, at]) => Date.now() - at < FORGET_AFTER_MS)
  return recent.length === Object.keys(lastTyped).length ? lastTyped : Object.fromEntries(recent)
}
