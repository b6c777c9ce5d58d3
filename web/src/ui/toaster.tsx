import { useAnnouncement, useToasts } from './toast-store.ts'

/** Where toasts and announcements appear; the app draws it once. */
export function Toaster() {
  const toasts = useToasts()
  const announcement = useAnnouncement()
  return (
    <>
      <div
        role="status"
        aria-live="polite"
        className="pointer-events-none fixed inset-x-4 bottom-24 z-50 grid justify-items-center gap-2 lg:bottom-6"
      >
        {toasts.map((toast) => (
          <p
            key={toast.id}
            className="animate-rise rounded-full bg-ink px-5 py-3 text-small font-medium text-surface shadow-float"
          >
            {toast.text}
          </p>
        ))}
      </div>
      <div aria-live="polite" className="sr-only">
        {announcement}
      </div>
    </>
  )
}
