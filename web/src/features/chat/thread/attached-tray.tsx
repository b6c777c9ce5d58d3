import { X } from 'lucide-react'
import { FileIcon } from '#domain/file-icon.tsx'
import { formatBytes } from '#lib/i18n/format-bytes.ts'
import { m } from '#lib/messages/messages.js'
import { FileImage } from '#ui/file-image.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import type { Attached } from './attached.ts'

type AttachedTrayProps = { attached: readonly Attached[]; onRemove: (id: string) => void }

/** The chosen images and files before they are sent, in the order in which they will be. */
export function AttachedTray({ attached, onRemove }: AttachedTrayProps) {
  return (
    <ul className="flex max-h-56 flex-wrap gap-2 overflow-y-auto px-thread pt-3">
      {attached.map((each) => (
        <li key={each.id} className="relative max-w-full min-w-0">
          {'image' in each ? (
            <FileImage
              file={each.image.file}
              alt={each.name}
              width={each.image.width}
              height={each.image.height}
              className="size-24 rounded-field border border-line object-cover"
            />
          ) : (
            <div className="flex h-24 w-60 max-w-full items-center gap-3 rounded-field bg-tint py-2 pr-11 pl-3">
              <FileIcon type={each.type} />
              <span className="min-w-0">
                <bdi className="line-clamp-2 text-small wrap-anywhere">{each.name}</bdi>
                <span className="block text-caption text-muted">{formatBytes(each.file.size)}</span>
              </span>
            </div>
          )}
          <IconButton
            label={m.chat_attachment_remove({ name: each.name })}
            icon={<X />}
            onClick={() => onRemove(each.id)}
            shape="small"
            className="absolute top-1 right-1"
          />
        </li>
      ))}
    </ul>
  )
}
