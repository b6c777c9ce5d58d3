import { useState } from 'react'
import { m } from '#lib/messages/messages.js'
import { classNames } from './class-names.ts'
import { FallbackImage } from './fallback-image.tsx'
import { loadedModal } from './loaded-modal.tsx'
import { Pressable } from './pressable.tsx'

// Loaded with the first picture that is opened.
const ImageViewer = loadedModal(async () => (await import('./image-viewer.tsx')).ImageViewer)

type OpeningImageProps = {
  src: string
  alt: string | null
  /** What the picture belongs to: its name where it has no description of its own. */
  title: string
  className?: string
}

/** A picture shown whole in its frame, never cropped; pressing it opens it on the whole screen. */
export function OpeningImage(props: OpeningImageProps) {
  return <Opening {...props} fit="object-contain" />
}

/** A small square of a picture, to stand next to text; pressing it opens the whole picture. */
export function Thumbnail(props: Omit<OpeningImageProps, 'className'>) {
  return <Opening {...props} fit="object-cover" className="size-18 flex-none rounded-field" />
}

function Opening({ src, alt, title, className, fit }: OpeningImageProps & { fit: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const name = alt || title
  return (
    <>
      <Pressable
        aria-label={m.ui_open_image({ name })}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
        className={classNames('block overflow-hidden bg-tint', className)}
      >
        <FallbackImage src={src} alt={name} className={`size-full ${fit}`} />
      </Pressable>
      {isOpen && (
        <ImageViewer
          open
          image={src}
          alt={name}
          fileName={title}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}
