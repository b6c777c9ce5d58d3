import type { ComponentType } from 'react'
import { loadedModal } from '#ui/loaded-modal.tsx'
import { Modal } from '#ui/modal.tsx'

/**
 * A sheet with a form whose code is loaded when it is first opened. It opens with the form in it: what came later would move its close
 * button under a finger.
 */
export function formSheet<Props extends object>(
  title: () => string,
  load: () => Promise<ComponentType<Props & { onDone: () => void }>>,
) {
  return loadedModal<Props & { onClose: () => void }>(async () => {
    const Form = await load()
    return (props) => (
      <Modal open onClose={props.onClose} title={title()} focusesField>
        <Form {...props} onDone={props.onClose} />
      </Modal>
    )
  })
}
