import { useQuery } from '@tanstack/react-query'
import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import type { Attachment } from '#features/chat/chat-types.ts'
import { m } from '#lib/messages/messages.js'
import { storage } from '#lib/supabase.ts'
import { FileImage } from '#ui/file-image.tsx'
import { Modal } from '#ui/modal.tsx'
import { Pressable } from '#ui/pressable.tsx'
import { Spinner } from '#ui/spinner.tsx'

const LONGEST_SIDE_PX = 280

type AttachmentViewProps = { attachment: Attachment; senderName: string; file?: Blob }

/** An image in a message. Its room is known before it is loaded, so nothing moves when it comes. */
export function AttachmentView({ attachment, senderName, file }: AttachmentViewProps) {
  const { data, isError } = useQuery({
    queryKey: ['storage', 'chat-images', attachment.path],
    queryFn: () => loadImage(attachment.path),
    enabled: !file,
    // Without a connection it says so instead of turning for ever, and tries again with one.
    networkMode: 'always',
    refetchOnReconnect: true,
    // A path never changes what it holds.
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
      {image && (
        <LoadedImage image={image} width={width} ratio={width / height} senderName={senderName} />
      )}
      {isError && (
        <ImageOff role="img" aria-label={m.chat_attachment_failed()} className="size-6" />
      )}
      {!image && !isError && <Spinner />}
    </div>
  )
}

type LoadedImageProps = { image: Blob; width: number; ratio: number; senderName: string }

function LoadedImage({ image, width, ratio, senderName }: LoadedImageProps) {
  const [isOpen, setIsOpen] = useState(false)
  const alt = m.chat_attachment_alt({ name: senderName })
  return (
    <>
      <Pressable onClick={() => setIsOpen(true)} title={m.chat_attachment_open()}>
        <FileImage file={image} alt={alt} className="block w-full" />
      </Pressable>
      <Modal open={isOpen} onClose={() => setIsOpen(false)} title={alt} wide>
        <FileImage
          file={image}
          alt={alt}
          style={{ aspectRatio: ratio, width: `min(100%, ${width}px, 75dvh * ${ratio})` }}
          className="mx-auto rounded-tight"
        />
      </Modal>
    </>
  )
}

/** Read with the member's own rights: there is no address that a stranger could use. */
async function loadImage(path: string): Promise<Blob> {
  const { data, error } = await (await storage()).from('chat-images').download(path)
  if (error) throw error
  return data
}
