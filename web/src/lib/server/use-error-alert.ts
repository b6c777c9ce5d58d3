import { useEffect, useRef } from 'react'
import { messageOf, notifyError } from './notify-error.ts'

type Load = { data: unknown; error: unknown }

/**
 * Alerts a failed load in the product's words: "Error loading chats: {message}". Stays silent if the screen
 * has data. The same error isn't repeated by retries until one succeeds: a live screen makes many.
 */
export function useErrorAlert(text: string, { data, error }: Load) {
  const said = useRef<string | null>(null)
  useEffect(() => {
    if (data) said.current = null
    if (data || !error) return
    const alert = `${text}: ${messageOf(error)}`
    if (said.current === alert) return
    said.current = alert
    notifyError(alert)
  }, [text, data, error])
}
