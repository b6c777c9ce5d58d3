import type { ComponentType } from 'react'
import { codeOf, useLoaded } from './use-loaded.ts'

/**
 * A dialog whose code is loaded when it is first opened. Unlike with `lazy`, the screen below, and what was typed there,
 * stays when the code does not arrive.
 */
export function loadedModal<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const code = codeOf(load)
  return function LoadedModal(props: Props & { onClose: () => void }) {
    const Loaded = useLoaded(code, true, props.onClose)
    return Loaded && <Loaded {...props} />
  }
}
