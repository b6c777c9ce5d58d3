import { FileText, ImagePlus, Paperclip } from 'lucide-react'
import { useRef } from 'react'
import { SENT_FILES } from '#domain/file-types.ts'
import { m } from '#lib/messages/messages.js'
import { FilesInput } from '#ui/file-picker.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { Menu } from '#ui/menu.tsx'

const SENT_IMAGES = 'image/png,image/jpeg,image/webp,image/gif'

/** Opens the device's picker for photos, or for files. */
export function AttachButton({ onPick }: { onPick: (files: File[]) => void }) {
  const photos = useRef<HTMLInputElement>(null)
  const files = useRef<HTMLInputElement>(null)
  return (
    <>
      <Menu
        side="top"
        align="start"
        trigger={
          <IconButton label={m.chat_attach()} icon={<Paperclip />} variant="quiet" shape="round" />
        }
        items={[
          {
            label: m.chat_attach_photos(),
            icon: <ImagePlus />,
            onSelect: () => photos.current?.click(),
          },
          {
            label: m.chat_attach_files(),
            icon: <FileText />,
            onSelect: () => files.current?.click(),
          },
        ]}
      />
      <FilesInput
        ref={photos}
        label={m.chat_attach_photos()}
        accept={SENT_IMAGES}
        onPick={onPick}
      />
      <FilesInput ref={files} label={m.chat_attach_files()} accept={SENT_FILES} onPick={onPick} />
    </>
  )
}
