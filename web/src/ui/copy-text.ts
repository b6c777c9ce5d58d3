import { m } from '#lib/messages/messages.js'
import { showToast } from './toast-store.ts'

/** On plain http there is no clipboard; the toast then asks the member to copy the text themselves. */
export async function copyText(text: string, done: string) {
  try {
    await navigator.clipboard.writeText(text)
    showToast(done)
  } catch (error) {
    console.warn('Could not copy to the clipboard', error)
    showToast(m.ui_copy_by_hand())
  }
}
