import { useEffect } from 'react'
import { firstScreenRead } from '#data/first-screen.ts'

/** The features whose changes wait on this device while offline. */
const loadWriters = () =>
  Promise.all([
    import('#features/content/onboarding-queries.ts'),
    import('#features/calculator/log-activity.ts'),
    import('#features/notifications/notice-answers.ts'),
  ])

/** Sends what an earlier visit could not, and what waits when the connection returns. */
export function usePendingChanges(memberId: string) {
  useEffect(() => {
    async function send() {
      await firstScreenRead()
      const { countPendingChanges, sendPendingChanges } =
        await import('#data/kept/pending-writes.ts')
      if (countPendingChanges(memberId) === 0) return
      await loadWriters()
      await sendPendingChanges(memberId)
    }
    const sendNow = () =>
      void send().catch((error: unknown) =>
        console.warn('Changes still wait on this device', error),
      )
    sendNow()
    window.addEventListener('online', sendNow)
    return () => window.removeEventListener('online', sendNow)
  }, [memberId])
}
