import { useEffect, useState } from 'react'
import { useIsVisible } from '#features/chat/use-is-visible.ts'
import { watchTopic } from '#lib/watch-topic.ts'

/** A card that only passes by while somebody scrolls is not worth a channel. */
const SETTLED_AFTER_MS = 300

const topicOf = (memberId: string) => `online:${memberId}`

/** Shows the member as online while the app is in sight, on however many devices. */
export function useShowOnline(memberId: string): void {
  const isVisible = useIsVisible()
  useEffect(
    () => (isVisible ? watchTopic(topicOf(memberId), {}, { trackAs: memberId }) : undefined),
    [isVisible, memberId],
  )
}

/** Whether somebody the member has a chat of two with is online; null asks about nobody. */
export function useIsMemberOnline(memberId: string | null): boolean {
  const [onlineId, setOnlineId] = useState<string | null>(null)
  useEffect(() => {
    if (!memberId) return
    let stop = () => {}
    const onPresence = (keys: string[]) => setOnlineId(keys.includes(memberId) ? memberId : null)
    const timer = setTimeout(() => {
      stop = watchTopic(topicOf(memberId), { onPresence }, 'look')
    }, SETTLED_AFTER_MS)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [memberId])
  return memberId !== null && onlineId === memberId
}
