import { Haptics, ImpactStyle } from '@capacitor/haptics'
import { Keyboard } from '@capacitor/keyboard'

/** The field being written in stays in sight above the keyboard. */
export async function keepFieldInSight() {
  await Keyboard.addListener('keyboardDidShow', () =>
    document.activeElement?.scrollIntoView({ block: 'nearest' }),
  )
}

/** A light tap under the finger when a message leaves. */
export function tapOnSend() {
  window.addEventListener('message-sent', () => {
    Haptics.impact({ style: ImpactStyle.Light }).catch(() => undefined)
  })
}
