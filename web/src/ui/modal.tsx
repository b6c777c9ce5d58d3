import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useCallback, useRef, type ReactNode } from 'react'
import { m } from '#lib/messages/messages.js'
import { classNames } from './class-names.ts'
import { IconButton } from './icon-button.tsx'
import { ModalClosingContext, type ClosingQuestion } from './modal-closing.ts'
import { useReturnedFocus } from './use-returned-focus.ts'

type ModalProps = {
  open: boolean
  onClose: () => void
  title: string
  description?: string
  children?: ReactNode
  /** Buttons, in a row at the bottom. */
  footer?: ReactNode
  wide?: boolean
  /** Lays out the content in two columns where they fit. */
  hasColumns?: boolean
  /** Keeps its height whatever it holds, and fills a phone's screen: the on-screen keyboard covers a sheet. */
  isTall?: boolean
  /** The first field has focus first, instead of the button that closes. */
  focusesField?: boolean
}

/** A dialog: a bottom sheet on a phone, centered elsewhere. */
export function Modal({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  wide,
  hasColumns,
  isTall,
  focusesField,
}: ModalProps) {
  const returnedFocus = useReturnedFocus()
  // Not state: the Escape key may follow the last letter before React renders again.
  const question = useRef<ClosingQuestion>(undefined)
  const setQuestion = useCallback((next: ClosingQuestion | undefined) => {
    question.current = next
  }, [])
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(isOpen) => !isOpen && (question.current ? question.current.ask() : onClose())}
    >
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 animate-appear bg-scrim" />
        <Dialog.Content
          {...returnedFocus}
          onOpenAutoFocus={(event) => {
            returnedFocus.onOpenAutoFocus()
            const dialog = event.currentTarget as HTMLElement
            const field = focusesField && dialog.querySelector<HTMLElement>('input:not([hidden])')
            if (!field) return
            event.preventDefault()
            field.focus()
          }}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={classNames(
            'fixed inset-x-0 bottom-0 z-50 mx-auto flex w-full animate-rise flex-col bg-card pb-safe text-ink shadow-float focus:outline-0',
            isTall
              ? 'h-dvh pt-safe sm:h-[80dvh] sm:pt-0'
              : 'max-h-[92dvh] rounded-t-sheet sm:h-fit',
            'sm:inset-y-0 sm:my-auto sm:rounded-sheet',
            wide || hasColumns || isTall ? 'sm:max-w-2xl' : 'sm:max-w-md',
            hasColumns && 'lg:max-w-5xl',
          )}
        >
          <header className="flex items-start gap-3 p-5 pb-3">
            <Dialog.Title className="min-w-0 flex-1 pt-2 text-heading font-bold wrap-anywhere">
              {title}
            </Dialog.Title>
            <Dialog.Close asChild>
              <IconButton label={m.ui_close()} icon={<X />} variant="plain" />
            </Dialog.Close>
          </header>
          <div className="grid min-h-0 flex-1 grid-cols-1 gap-4 overflow-y-auto px-5 pb-5">
            {description && (
              <Dialog.Description className="wrap-anywhere text-muted">
                {description}
              </Dialog.Description>
            )}
            <ModalClosingContext value={{ onClose, setQuestion }}>{children}</ModalClosingContext>
          </div>
          {footer && (
            <footer className="flex justify-end gap-3 border-t border-line p-4">{footer}</footer>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
