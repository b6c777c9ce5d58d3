import { m } from '#lib/messages/messages.js'

/** The product's sentence around the message of a failed load. */
export function loadingFailed(message: string): string {
  return `${m.notifications_error_loading()}: ${message}`
}
