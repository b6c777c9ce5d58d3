import { Download, Share2, X, ZoomIn, ZoomOut } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { ComponentProps } from 'react'
import { m } from '#lib/messages/messages.js'
import { isNativeShell } from '#lib/native/is-native-shell.ts'
import { FileImage } from './file-image.tsx'
import { IconButton } from './icon-button.tsx'
import { canShareImage, imageFile, saveImage, shareImage } from './image-file.ts'
import { showToast } from './toast-store.ts'
import { useReturnedFocus } from './use-returned-focus.ts'
import { MAX_ZOOM, useZoom } from './use-zoom.ts'

type ImageViewerProps = {
  /** A file in memory, or an address. */
  image: Blob | string
  /** What it shows; also the dialog's title. */
  alt: string
  /** Its name once saved, without an extension. */
  fileName: string
  open: boolean
  onClose: () => void
}

/** An image alone on the screen, whole at first, with zoom, save and share. */
export function ImageViewer({ open, onClose, ...picture }: ImageViewerProps) {
  const returnedFocus = useReturnedFocus()
  return (
    <Dialog.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Content
          {...returnedFocus}
          aria-describedby={undefined}
          className="fixed inset-0 z-50 flex animate-appear flex-col bg-surface text-ink scheme-dark focus:outline-0"
        >
          <Viewed {...picture} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Viewed({ image, alt, fileName }: Pick<ImageViewerProps, 'image' | 'alt' | 'fileName'>) {
  const { zoom, zoomBy, frame } = useZoom()
  const look = 'size-full object-contain select-none'

  function give(work: typeof saveImage) {
    imageFile(image, fileName)
      .then(work)
      .catch(() => showToast(m.ui_image_not_saved()))
  }

  return (
    <>
      <header className="flex flex-none items-center gap-1 px-3 pt-[max(0.5rem,env(safe-area-inset-top))] pb-2">
        <Dialog.Title className="min-w-0 flex-1 truncate px-2 text-small font-medium">
          {alt}
        </Dialog.Title>
        <Action
          label={m.ui_zoom_out()}
          icon={<ZoomOut />}
          disabled={zoom === 1}
          onClick={() => zoomBy(1 / 1.5)}
        />
        <Action
          label={m.ui_zoom_in()}
          icon={<ZoomIn />}
          disabled={zoom === MAX_ZOOM}
          onClick={() => zoomBy(1.5)}
        />
        {/* The phone's share sheet saves too. */}
        {!isNativeShell() && (
          <Action label={m.ui_save_image()} icon={<Download />} onClick={() => give(saveImage)} />
        )}
        {canShareImage() && (
          <Action label={m.ui_share_image()} icon={<Share2 />} onClick={() => give(shareImage)} />
        )}
        <Dialog.Close asChild>
          <Action label={m.ui_close()} icon={<X />} />
        </Dialog.Close>
      </header>
      <div
        {...frame}
        tabIndex={0}
        role="group"
        aria-label={alt}
        className="min-h-0 flex-1 touch-pan-x touch-pan-y overflow-auto overscroll-contain pb-safe"
      >
        <div style={{ width: `${zoom * 100}%`, height: `${zoom * 100}%` }}>
          {typeof image === 'string' ? (
            <img src={image} alt={alt} draggable={false} className={look} />
          ) : (
            <FileImage file={image} alt={alt} draggable={false} className={look} />
          )}
        </div>
      </div>
    </>
  )
}

/** Keeps focus while `disabled`, so that zooming by keyboard can go on. */
function Action({ disabled, onClick, ...rest }: ComponentProps<typeof IconButton>) {
  return (
    <IconButton
      {...rest}
      variant="plain"
      aria-disabled={disabled}
      className="aria-disabled:opacity-55"
      onClick={disabled ? undefined : onClick}
    />
  )
}
