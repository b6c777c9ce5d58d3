import { useEffect, useEffectEvent, useState, type ComponentType } from 'react'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'

/**
 * A dialog whose code is loaded when it is first opened. Unlike with `lazy`, the screen below, and what was typed there,
 * stays when the code does not arrive.
 */
export function loadedModal<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined
  return function LoadedModal(props: Props & { onClose: () => void }) {
    const [Loaded, setLoaded] = useState(() => loaded)
    const fail = useEffectEvent((error: unknown) => {
      showError(m.ui_not_opened(), error)
      props.onClose()
    })
    useEffect(() => {
      if (loaded) return
      let isWanted = true
      load().then(
        (modal) => {
          loaded = modal
          if (isWanted) setLoaded(() => modal)
        },
        (error: unknown) => {
          if (isWanted) fail(error)
        },
      )
      return () => {
        isWanted = false
      }
    }, [])
    return Loaded && <Loaded {...props} />
  }
}
