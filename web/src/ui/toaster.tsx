import { dismissToast, useAnnouncement, useToasts, type Toast } from './toast-store.ts'

/** Renders toasts and announcements; mounted once by the app. */
export function Toaster() {
  const toasts = useToasts()
  const announcement = useAnnouncement()
  return (
    <>
      <div
        role="status"
        aria-live="polite"
        className="pointer-events-none fixed inset-x-4 bottom-24 z-60 grid justify-items-center gap-2 lg:bottom-6 over-sheet:top-4 over-sheet:bottom-auto over-sheet:pt-safe"
      >
        {toasts.map((toast) => (
          <p
            key={toast.id}
            className="flex max-w-full animate-rise items-center gap-1 rounded-sheet bg-ink px-5 py-3 text-small font-medium text-surface wrap-anywhere shadow-float over-sheet:not-last:hidden"
          >
            {toast.text}
            <ActionButton toast={toast} />
          </p>
        ))}
      </div>
      <div aria-live="polite" className="sr-only">
        {announcement}
      </div>
    </>
  )
}

function ActionButton({ toast: { id, action } }: { toast: Toast }) {
  if (!action) return null
  function act() {
    action?.onSelect()
    dismissToast(id)
  }
  return (
    <button
      type="button"
      onClick={act}
      className="pointer-events-auto -my-3 flex-none min-h-target min-w-target rounded-full px-2.5 font-bold underline underline-offset-2"
    >
      {action.label}
    </button>
  )
}
