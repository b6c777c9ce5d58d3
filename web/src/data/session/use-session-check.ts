import { useEffect } from 'react'
import { watchTopic } from '#data/live/watch-topic.ts'
import { checkSession } from './session.ts'

const AT_MOST_EVERY_MS = 60_000

// Offline there is nothing to verify against; the member stays.
const check = () =>
  checkSession().catch((error: unknown) => console.warn('The session was not checked', error))

/**
 * A session may end on another device while this one still holds a valid access token. Verified whenever the
 * app becomes visible, and at once when the server announces it; an ended one leads to the login. At the start the
 * screen's own requests verify it, because the Data API refuses an ended session.
 */
export function useSessionCheck(userId: string) {
  useEffect(() => {
    let checkedAt = Date.now()
    function checkWhenVisible() {
      if (document.hidden || Date.now() - checkedAt < AT_MOST_EVERY_MS) return
      checkedAt = Date.now()
      void check()
    }
    document.addEventListener('visibilitychange', checkWhenVisible)
    return () => document.removeEventListener('visibilitychange', checkWhenVisible)
  }, [])

  useEffect(
    () =>
      watchTopic(`user:${userId}`, {
        onEvent: (event) => event === 'session_ended' && void check(),
        // The embedded backend closes the channels of an ended session.
        onRefused: () => void check(),
      }),
    [userId],
  )
}
