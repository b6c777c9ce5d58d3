import { m } from '#lib/messages/messages.js'
import { Logo } from '#ui/logo.tsx'

/** About how a phone will show it. */
export function NoticePreview({ title, body }: { title: string; body: string }) {
  return (
    <section aria-label={m.notifications_preview()} className="grid gap-1.5">
      <h3 className="text-note font-semibold">{m.notifications_preview()}</h3>
      <div className="flex gap-3 rounded-card bg-surface p-4">
        <Logo className="size-9 flex-none" />
        <div className="min-w-0">
          <p className="truncate font-semibold">{title || m.notifications_field_title()}</p>
          <p className="line-clamp-2 text-small break-words text-muted">{body}</p>
        </div>
      </div>
    </section>
  )
}
