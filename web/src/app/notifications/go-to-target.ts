import { chatOf, pathOf, type PushData } from '#domain/push-target.ts'

/** Navigates the open app to a notification's target. `navigate-to-chat` is the product's own event. */
export function goToTarget(data: PushData): void {
  const chatId = chatOf(data)
  const event = chatId
    ? new CustomEvent('navigate-to-chat', { detail: { chatId } })
    : new CustomEvent('navigate-to-path', { detail: { path: pathOf(data) } })
  window.dispatchEvent(event)
}
