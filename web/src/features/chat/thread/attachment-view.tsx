import { useQuery } from '@tanstack/react-query'
import { ImageOff } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Attachment } from '#features/chat/chat-types.ts'
import { m } from '#lib/messages/messages.js'
import { storage } from '#lib/supabase/supabase.ts'
import { FileImage } from '#ui/file-image.tsx'
import { Pressable } from '#ui/pressable.tsx'
import { Spinner } from '#ui/spinner.tsx'

const LONGEST_SIDE_PX = 280

// Loaded when the first image is opened.
const ImageViewer = lazy(async () => ({
  default: (await import('#ui/image-viewer.tsx')).ImageViewer,
}))

type AttachmentViewProps = { attachment: Attachment; senderName: string; file?: Blob }

/** An image in a message. Its size is known before it loads, so nothing moves. */
export function AttachmentView({ attachment, senderName, file }: AttachmentViewProps) {
  const { data, isError } = useQuery({
    queryKey: ['storage', 'chat-images', attachment.path],
    queryFn: () => loadImage(attachment.path),
    enabled: !file,
    // Offline it says so instead of spinning forever, and retries when online.
    networkMode: 'always',
    refetchOnReconnect: true,
    // A path's content never changes.
    staleTime: Infinity,
  })
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

function LoadedImage({ image, senderName }: { image: Blob; senderName: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const [hasOpened, setHasOpened] = useState(false)
  const alt = m.chat_attachment_alt({ name: senderName })

  function open() {
    setHasOpened(true)
    setIsOpen(true)
  }

  return (
    <>
      <Pressable onClick={open} title={m.chat_attachment_open()}>
        <FileImage file={image} alt={alt} className="block w-full" />
      </Pressable>
      {hasOpened && (
        <Suspense>
          <ImageViewer
            image={image}
            alt={alt}
            fileName={m.chat_attachment_name()}
            open={isOpen}
            onClose={() => setIsOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}

/** Read with the member's own rights; no URL works for anyone else. */
async function loadImage(path: string): Promise<Blob> {
  const { data, error } = await (await storage()).from('chat-images').download(path)
  if (error) throw error
  return data
}
