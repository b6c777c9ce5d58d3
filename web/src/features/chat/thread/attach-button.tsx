import { ImagePlus } from 'lucide-react'
import { useId, type ChangeEvent } from 'react'
import { m } from '#lib/messages/messages.js'
import { messageOf, notifyError } from '#lib/notify-error.ts'
import { prepareImage, type PickedImage } from './prepare-image.ts'

/** Opens the device's picker for one image. */
export function AttachButton({ onPick }: { onPick: (image: PickedImage) => void }) {
  const id = useId()

  function pick(event: ChangeEvent<HTMLInputElement>) {
    const file = event.target.files?.[0]
    // The same file can be chosen again after it was removed.
    event.target.value = ''
    if (!file) return
    prepareImage(file)
      .then(onPick)
      .catch((error: unknown) => notifyError(messageOf(error)))
  }

  return (
    <label
      htmlFor={id}
      title={m.chat_attach()}
      className="grid size-11.5 flex-none cursor-pointer place-items-center rounded-full text-muted hover:bg-tint has-focus-visible:outline-2 has-focus-visible:outline-primary"
    >
      <input
        id={id}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif"
        aria-label={m.chat_attach()}
        onChange={pick}
        className="sr-only"
      />
      <ImagePlus aria-hidden="true" className="size-5.5" />
    </label>
  )
}
