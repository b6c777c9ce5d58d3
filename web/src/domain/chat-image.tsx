import { useQuery } from '@tanstack/react-query'
import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import { storage } from '#data/supabase.ts'
import { m } from '#lib/messages/messages.js'
import { useIsInView } from '#lib/use-is-in-view.ts'
import { FileImage } from '#ui/file-image.tsx'
import { loadedModal } from '#ui/loaded-modal.tsx'
import { Pressable } from '#ui/pressable.tsx'
import { Spinner } from '#ui/spinner.tsx'
import type { ImageAttachment } from './attachments.ts'

const LONGEST_SIDE_PX = 280

// Loaded when the first image is opened.
const ImageViewer = loadedModal(async () => (await import('#ui/image-viewer.tsx')).ImageViewer)

type ChatImageProps = {
  attachment: ImageAttachment
  senderName: string
  file?: Blob
  /** A supervisor's look: what it shows is forgotten with it. */
  lookId?: string
}

/** An image in a message. Its size is known before it loads, so nothing moves. */
export function ChatImage({ attachment, senderName, file, lookId }: ChatImageProps) {
  const { data, isError } = useImage(attachment.path, !file, lookId)
  const { width, height } = attachment
  const scale = Math.min(1, LONGEST_SIDE_PX / Math.max(width, height))
  const image = file ?? data
  return (
    <div
      style={{ width: width * scale, aspectRatio: width / height }}
      className="my-1 grid min-h-12 max-w-full min-w-12 place-items-center overflow-hidden rounded-tight bg-current/8"
    >
      {image && <LoadedImage image={image} senderName={senderName} />}
      {isError && (
        <ImageOff role="img" aria-label={m.chat_attachment_failed()} className="size-6" />
      )}
      {!image && !isError && <Spinner />}
    </div>
  )
}

/** The same as a square among others; it loads once it is in view. */
export function ChatImageTile({ attachment, senderName }: ChatImageProps) {
  const { ref, isInView } = useIsInView()
  const { data, isError } = useImage(attachment.path, isInView)
  return (
    <div
      ref={ref}
      className="grid aspect-square place-items-center overflow-hidden rounded-tight bg-tint"
    >
      {data && <LoadedImage image={data} senderName={senderName} isTile />}
      {isError && (
        <ImageOff role="img" aria-label={m.chat_attachment_failed()} className="size-6" />
      )}
      {!data && !isError && <Spinner />}
    </div>
  )
}

function useImage(path: string, isWanted: boolean, lookId?: string) {
  return useQuery({
    queryKey: lookId ? ['looks', 'image', lookId, path] : ['storage', 'chat-images', path],
    ...(lookId && { gcTime: 0 }),
    queryFn: () => loadImage(path, lookId !== undefined),
    enabled: isWanted,
    // Offline it says so instead of spinning forever, and retries when online.
    networkMode: 'always',
    refetchOnReconnect: true,
    // A path's content never changes.
    staleTime: Infinity,
  })
}

type LoadedImageProps = { image: Blob; senderName: string; isTile?: boolean }

function LoadedImage({ image, senderName, isTile }: LoadedImageProps) {
  const [isOpen, setIsOpen] = useState(false)
  const alt = m.chat_attachment_alt({ name: senderName })

  return (
    <>
      <Pressable
        onClick={() => setIsOpen(true)}
        title={m.chat_attachment_open()}
        className={isTile ? 'size-full' : undefined}
      >
        <FileImage
          file={image}
          alt={alt}
          className={isTile ? 'size-full object-cover' : 'block w-full'}
        />
      </Pressable>
      {isOpen && (
        <ImageViewer
          image={image}
          alt={alt}
          fileName={m.chat_attachment_name()}
          open
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}

/**
 * Read with the member's own rights; no URL works for anyone else.
 * @param isBrief the right to it ends soon, so the browser keeps no copy
 */
async function loadImage(path: string, isBrief: boolean): Promise<Blob> {
  const images = (await storage()).from('chat-images')
  const { data, error } = await images.download(path, {}, isBrief ? { cache: 'no-store' } : {})
  if (error) throw error
  return data
}
