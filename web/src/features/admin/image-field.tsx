import { ImagePlus, X } from 'lucide-react'
import { useState } from 'react'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { FallbackImage } from '#ui/fallback-image.tsx'
import { FilePicker } from '#ui/file-picker.tsx'
import { ProgressBar } from '#ui/progress-bar.tsx'
import { uploadImage } from './upload-image.ts'

type Props = {
  url: string
  onChange: (url: string) => void
  /** The form must not be saved without an image that is still uploading. */
  onUploading: (isUploading: boolean) => void
}

type Upload = { step: 'idle' } | { step: 'uploading'; share: number }

/** Picks, shrinks and uploads an image, with progress and a preview. */
export function ImageField({ url, onChange, onUploading }: Props) {
  const [upload, setUpload] = useState<Upload>({ step: 'idle' })

  async function choose(file: File) {
    setUpload({ step: 'uploading', share: 0 })
    onUploading(true)
    try {
      onChange(await uploadImage(file, (share) => setUpload({ step: 'uploading', share })))
    } catch (error) {
      showError(m.admin_error_image(), error)
    } finally {
      setUpload({ step: 'idle' })
      onUploading(false)
    }
  }

  return (
    <div className="grid gap-1.5">
      <p className="text-note font-semibold">{m.admin_field_image()}</p>
      {url && (
        <FallbackImage
          src={url}
          alt={m.admin_image_preview()}
          className="aspect-[21/9] w-full rounded-field border border-line bg-tint object-contain"
        />
      )}
      {upload.step === 'uploading' ? (
        <div className="grid gap-1.5 text-small text-muted">
          {m.admin_image_uploading()}
          <ProgressBar label={m.admin_image_uploading()} value={upload.share} max={1} />
        </div>
      ) : (
        <div className="flex flex-wrap gap-3">
          <FilePicker
            label={url ? m.admin_image_replace() : m.admin_image_choose()}
            icon={<ImagePlus />}
            accept="image/*"
            onPick={(file) => void choose(file)}
          />
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
