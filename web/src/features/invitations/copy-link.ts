import { m } from '#lib/messages/messages.js'
import { showToast } from '#ui/toast-store.ts'

/** Browsers without a clipboard (an http page) leave the address on the screen to be copied by hand. */
export async function copyLink(address: string) {
  try {
    await navigator.clipboard.writeText(address)
    showToast(m.invitations_copied())
  } catch (error) {
    console.warn('The clipboard is closed', error)
    showToast(m.invitations_copy_by_hand())
  }
}
