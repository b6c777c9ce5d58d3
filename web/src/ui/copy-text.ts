import { m } from '#lib/messages/messages.js'
import { showToast } from './toast-store.ts'

/** Browsers without a clipboard (an http page) leave the text on the screen to be copied by hand, and say so. */
export async function copyText(text: string, done: string) {
  try {
    await navigator.clipboard.writeText(text)
    showToast(done)
  } catch (error) {
    console.warn('The clipboard is closed', error)
    showToast(m.ui_copy_by_hand())
  }
}
