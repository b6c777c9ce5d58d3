import { ImagePlus } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { messageOf, notifyError } from '#lib/notify-error.ts'
import { FilePicker } from '#ui/file-picker.tsx'
import { prepareImage, type PickedImage } from './prepare-image.ts'

/** Opens the device's picker for one image. */
export function AttachButton({ onPick }: { onPick: (image: PickedImage) => void }) {
  function prepare(file: File) {
    prepareImage(file)
      .then(onPick)
      .catch((error: unknown) => notifyError(messageOf(error)))
  }

  return (
    <FilePicker
      isIconOnly
      label={m.chat_attach()}
      icon={<ImagePlus />}
      accept="image/png,image/jpeg,image/webp,image/gif"
      onPick={prepare}
    />
  )
}
