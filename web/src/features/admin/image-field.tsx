import { ImagePlus, X } from 'lucide-react'
import { useId, useState, type ChangeEvent } from 'react'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/notify-error.ts'
import { Button, buttonLook } from '#ui/button.tsx'
import { FallbackImage } from '#ui/fallback-image.tsx'
import { ProgressBar } from '#ui/progress-bar.tsx'
import { uploadImage } from './upload-image.ts'

type Props = {
  url: string
  onChange: (url: string) => void
  /** While a picture travels, the form must not be saved without it. */
  onUploading: (isUploading: boolean) => void
}

type Upload = { step: 'idle' } | { step: 'uploading'; share: number }

/** Chooses, shrinks and uploads a picture, with its progress and a preview. */
export function ImageField({ url, onChange, onUploading }: Props) {
  const id = useId()
  const [upload, setUpload] = useState<Upload>({ step: 'idle' })

  async function choose(event: ChangeEvent<HTMLInputElement>) {
    const input = event.target
    const file = input.files?.[0]
    if (!file) return
    setUpload({ step: 'uploading', share: 0 })
    onUploading(true)
    try {
      onChange(await uploadImage(file, (share) => setUpload({ step: 'uploading', share })))
    } catch (error) {
      showError(m.admin_error_image(), error)
    } finally {
      setUpload({ step: 'idle' })
      onUploading(false)
      // The same file may be chosen again after a failure.
      input.value = ''
    }
  }

  return (
    <div className="grid gap-1.5">
      <p className="text-note font-semibold">{m.admin_field_image()}</p>
      {url && (
        <FallbackImage
          src={url}
          alt={m.admin_image_preview()}
          className="aspect-[21/9] w-full rounded-field border border-line object-cover"
        />
      )}
      {upload.step === 'uploading' ? (
        <div className="grid gap-1.5 text-small text-muted">
          {m.admin_image_uploading()}
          <ProgressBar label={m.admin_image_uploading()} value={upload.share} max={1} />
        </div>
      ) : (
        <div className="flex flex-wrap gap-3">
          <input
            id={id}
            type="file"
            accept="image/*"
            onChange={(event) => void choose(event)}
            className="peer sr-only"
          />
          <label
            htmlFor={id}
            className={`${buttonLook('ghost')} cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-primary`}
          >
            <ImagePlus aria-hidden="true" className="size-5" />
            {url ? m.admin_image_replace() : m.admin_image_choose()}
          </label>
          {url && (
            <Button variant="danger-ghost" onClick={() => onChange('')}>
              <X aria-hidden="true" className="size-5" />
              {m.admin_image_remove()}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
