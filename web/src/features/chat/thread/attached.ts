import { endingOf } from '#domain/file-types.ts'
import type { OutboxImage } from '#features/chat/outbox/outbox-entry.ts'
import type { PreparedImage } from '#lib/images/prepare-image.ts'

/** An image or a file in the composer. */
export type Attached = { id: string; name: string } & (
  { image: PreparedImage } | { file: File; type: string }
)

/** What is uploaded and shown once it is sent. */
export function attachmentOf(attached: Attached | undefined, place: string): OutboxImage | null {
  if (!attached) return null
  if ('image' in attached) {
    const { file, width, height, extension } = attached.image
    return { file, attachment: { path: `${place}.${extension}`, width, height } }
  }
  const { file, name, type } = attached
  const path = `${place}.${endingOf(name)}`
  // The same bytes; what a browser takes them for depends on the programs installed.
  const typed = file.slice(0, file.size, type)
  return { file: typed, attachment: { kind: 'file', path, name, size: file.size, type } }
}
