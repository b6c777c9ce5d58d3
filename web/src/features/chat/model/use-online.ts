import { useEffect, useState } from 'react'
import { watchTopic } from '#data/live/watch-topic.ts'
import { useReach } from '#lib/server/server-reach.ts'
import { useIsVisible } from './use-is-visible.ts'

/** A card that only scrolls past isn't worth a channel. */
const SETTLED_AFTER_MS = 300

const topicOf = (memberId: string) => `online:${memberId}`

/** Shows the member as online while the app is visible, on any number of devices. */
export function useShowOnline(memberId: string): void {
  const isVisible = useIsVisible()
  useEffect(
    () => (isVisible ? watchTopic(topicOf(memberId), {}, { trackAs: memberId }) : undefined),
    [isVisible, memberId],
  )
}

/** Whether the other member of an individual chat is online; null subscribes to nobody. */
export function useIsMemberOnline(memberId: string | null): boolean {
  const [onlineId, setOnlineId] = useState<string | null>(null)
  const isConnected = useReach() === 'online'
  useEffect(() => {
    if (!memberId) return
    let stop = () => {}
    const onPresence = (keys: string[]) => setOnlineId(keys.includes(memberId) ? memberId : null)
    const timer = setTimeout(() => {
      stop = watchTopic(topicOf(memberId), { onPresence }, 'observe')
    }, SETTLED_AFTER_MS)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [memberId])
  // Without a connection nobody can say.
  return memberId !== null && onlineId === memberId && isConnected
}
