import { useEffect, useState } from 'react'
import { useUserId } from '#lib/session.ts'
import { sendToTopic, watchTopic } from '#lib/watch-topic.ts'

/** Told this often while keys are pressed. */
const TELL_EVERY_MS = 2_500
/** Nobody stays "typing" longer than this without being heard of again. */
const FORGET_AFTER_MS = 5_000

const lastTold = new Map<string, number>()

/** Lets the others in the chat know that the member is typing; not kept anywhere. */
export function useTellTyping(chatId: string): () => void {
  const memberId = useUserId()
  return function tell() {
    if (Date.now() - (lastTold.get(chatId) ?? 0) < TELL_EVERY_MS) return
    lastTold.set(chatId, Date.now())
    sendToTopic(`typing:${chatId}`, 'typing', { user_id: memberId }).catch((error: unknown) =>
      console.warn('Typing was not told', error),
    )
  }
}

export type ChatLife = { typingIds: string[]; hereIds: string[] }

/** Who is typing in a chat and who has it open, as their devices say; nothing of it is stored. */
export function useChatLife(chatId: string): ChatLife {
  const memberId = useUserId()
  const [heard, setHeard] = useState<Record<string, number>>({})
  const [hereIds, setHereIds] = useState<string[]>([])

  useEffect(() => {
    const stop = watchTopic(
      `typing:${chatId}`,
      {
        onPresence: (keys) => setHereIds(keys.filter((key) => key !== memberId)),
        onEvent(event, { user_id }) {
          if (event !== 'typing' || typeof user_id !== 'string' || user_id === memberId) return
          setHeard((before) => ({ ...before, [user_id]: Date.now() }))
        },
      },
      { trackAs: memberId },
    )
    const stopHearing = watchTopic(`chat:${chatId}`, {
      onEvent(event, { sender_id }) {
        // What was being typed has arrived.
        if (event === 'message_inserted') setHeard((before) => without(before, String(sender_id)))
      },
    })
    const timer = setInterval(() => setHeard(withoutOld), 1_000)
    return () => {
      stop()
      stopHearing()
      clearInterval(timer)
    }
  }, [chatId, memberId])

  return { typingIds: Object.keys(heard), hereIds }
}

function without(heard: Record<string, number>, id: string): Record<string, number> {
  const { [id]: _, ...others } = heard
  return id in heard ? others : heard
}

function withoutOld(heard: Record<string, number>): Record<string, number> {
  const recent = Object.entries(heard).filter(([, at]) => Date.now() - at < FORGET_AFTER_MS)
  return recent.length === Object.keys(heard).length ? heard : Object.fromEntries(recent)
}
