import { Suspense, type ComponentProps } from 'react'
import { Modal } from '#ui/modal.tsx'
import { Spinner } from '#ui/spinner.tsx'

/** A sheet whose form loads when it is opened. */
export function FormSheet({ children, ...sheet }: ComponentProps<typeof Modal>) {
  return (
    <Modal {...sheet}>
      <Suspense fallback={<FormLoads />}>{children}</Suspense>
    </Modal>
  )
}

/** In place of a form that waits for its code or for what it changes. */
export function FormLoads() {
  return <Spinner className="m-auto my-6" />
}
