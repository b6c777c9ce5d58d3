import { Suspense, type ComponentProps } from 'react'
import { Modal } from '#ui/modal.tsx'
import { Spinner } from '#ui/spinner.tsx'

/** A sheet whose form loads when it is opened. */
export function FormSheet({ children, ...sheet }: ComponentProps<typeof Modal>) {
  return (
    <Modal {...sheet}>
      <Suspense fallback={<Spinner className="m-auto my-6" />}>{children}</Suspense>
    </Modal>
  )
}
