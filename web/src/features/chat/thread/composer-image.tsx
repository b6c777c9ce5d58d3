import { X } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { FileImage } from '#ui/file-image.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import type { PickedImage } from './prepare-image.ts'

/** The chosen image before it is sent. */
export function ComposerImage({ image, onRemove }: { image: PickedImage; onRemove: () => void }) {
  return (
    <div className="relative w-fit px-4 pt-3 lg:px-6">
      <FileImage
        file={image.file}
        alt=""
        width={image.width}
        height={image.height}
        className="h-24 w-auto max-w-60 rounded-field object-cover"
      />
      <IconButton
        label={m.chat_attachment_remove()}
        icon={<X />}
        onClick={onRemove}
        shape="small"
        className="absolute top-1 right-1"
      />
    </div>
  )
}
