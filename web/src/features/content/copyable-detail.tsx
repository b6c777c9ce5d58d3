import { Copy } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { copyText } from '#ui/copy-text.ts'
import { IconButton } from '#ui/icon-button.tsx'

/** "Meeting ID: 123 456" with a button that copies the value. */
export function CopyableDetail({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex min-h-13 flex-auto items-center rounded-field bg-surface pl-3.5">
      <p className="min-w-0 flex-1 py-1.5">
        <span className="block text-caption text-muted">
          {name}
          <span className="sr-only">: </span>
        </span>
        <span className="block font-semibold break-all tabular-nums select-all">{value}</span>
      </p>
      <IconButton
        variant="plain"
        icon={<Copy />}
        label={m.content_copy({ what: name })}
        onClick={() => void copyText(value, m.content_copied())}
      />
    </div>
  )
}
