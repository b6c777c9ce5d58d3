import { m } from '#lib/messages/messages.js'
import { dismissToast, useAnnouncement, useToasts, type Toast } from './toast-store.ts'

/** Renders toasts and announcements; mounted once by the app. At the top, where they cover the least of what was just pressed. */
export function Toaster() {
  const toasts = useToasts()
  const announcement = useAnnouncement()
  return (
    <>
      <div
        role="status"
        aria-live="polite"
        className="pointer-events-none fixed inset-x-4 top-4 z-60 grid justify-items-center gap-2 pt-safe"
      >
        {toasts.map((toast) => (
          <p
            key={toast.id}
            className="flex max-w-full animate-drop items-center gap-1 rounded-sheet bg-ink px-5 py-3 text-small font-medium text-surface wrap-anywhere shadow-float over-sheet:not-last:hidden"
          >
            <span className="line-clamp-3">{toast.text}</span>
            {toast.undo && <UndoButton toast={toast} />}
          </p>
        ))}
      </div>
      <div aria-live="polite" className="sr-only">
        {announcement}
      </div>
    </>
  )
}

function UndoButton({ toast: { id, undo } }: { toast: Toast }) {
  return (
    <button
      type="button"
      onClick={() => {
        undo?.()
        dismissToast(id)
      }}
      className="pointer-events-auto -my-3 flex-none min-h-target min-w-target rounded-full px-2.5 font-bold underline underline-offset-2"
    >
      {m.ui_undo()}
    </button>
  )
}
