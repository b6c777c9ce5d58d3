import { AlertDialog } from 'radix-ui'
import { m } from '#lib/messages/messages.js'
import { Button } from './button.tsx'
import { useReturnedFocus } from './use-returned-focus.ts'

type ConfirmDialogProps = {
  open: boolean
  title: string
  text: string
  confirmLabel: string
  onConfirm: () => void
  onCancel: () => void
  /** The action cannot be undone. */
  isDestructive?: boolean
  busyText?: string | false
}

/** Asks before something that matters. Focus starts on Cancel, so that Enter is harmless. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const returnedFocus = useReturnedFocus()
  return (
    <AlertDialog.Root open={props.open} onOpenChange={(isOpen) => !isOpen && props.onCancel()}>
      <AlertDialog.Portal>
        {/* Above a modal too, since the question may be about it. */}
        <AlertDialog.Overlay className="fixed inset-0 z-50 animate-appear bg-scrim" />
        <AlertDialog.Content
          {...returnedFocus}
          className="fixed inset-4 z-50 m-auto h-fit max-h-full max-w-sm animate-rise overflow-y-auto rounded-sheet bg-card p-5 text-ink shadow-float focus:outline-0"
        >
          <AlertDialog.Title className="text-heading font-bold wrap-anywhere">
            {props.title}
          </AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-muted wrap-anywhere">
            {props.text}
          </AlertDialog.Description>
          <div className="mt-5 grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-3">
            <AlertDialog.Cancel asChild>
              <Button variant="ghost">{m.ui_cancel()}</Button>
            </AlertDialog.Cancel>
            <Button
              variant={props.isDestructive ? 'danger' : 'primary'}
              busyText={props.busyText}
              onClick={props.onConfirm}
            >
              {props.confirmLabel}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
