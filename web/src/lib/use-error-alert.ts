import { useEffect } from 'react'
import { showError } from './notify-error.ts'

/** Alerts a failed load once per failure, in the product's words: "Error loading chats: {message}". */
export function useErrorAlert(text: string, error: unknown) {
  useEffect(() => {
    if (error) showError(text, error)
  }, [text, error])
}
