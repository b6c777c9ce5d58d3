import { typeOfFileName } from '#domain/file-types.ts'
import { formatBytes } from '#lib/i18n/format-bytes.ts'
import { prepareImage } from '#lib/images/prepare-image.ts'
import { m } from '#lib/messages/messages.js'
import { newId } from '#lib/new-id.ts'
import { messageOf } from '#lib/server/notify-error.ts'
import type { Attached } from './attached.ts'

/** Within the bucket's limit, which is counted in MiB. */
const LARGEST_FILE = 25_000_000
const LONGEST_NAME = 200
/** What turns the direction of writing, breaks the line or cannot be seen could hide how a name ends. */
const HIDDEN =
  /[\u0001-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/** Fills a full screen; phone cameras produce far more. Every browser can encode this type. */
const WANTED = { longestSide: 2048, type: 'image/jpeg' } as const

type Prepared = { attached: Attached[]; refusals: string[] }

/** Gets chosen images and files ready to send, in their order, and says of the others why they cannot be sent. */
export async function prepareAttached(files: readonly File[]): Promise<Prepared> {
  const prepared: Prepared = { attached: [], refusals: [] }
  for (const file of files) {
    try {
      prepared.attached.push(await prepare(file))
    } catch (error) {
      const name = files.length > 1 ? `${cleanName(file.name)}: ` : ''
      prepared.refusals.push(name + messageOf(error))
    }
  }
  return prepared
}

async function prepare(file: File): Promise<Attached> {
  const name = cleanName(file.name)
  if (file.type.startsWith('image/')) {
    return { id: newId(), name, image: await prepareImage(file, WANTED) }
  }
  const type = typeOfFileName(name)
  if (!type) throw new Error(m.chat_file_type())
  if (file.size === 0) throw new Error(m.chat_file_empty())
  if (file.size > LARGEST_FILE) {
    throw new Error(m.chat_file_too_large({ size: formatBytes(LARGEST_FILE) }))
  }
  return { id: newId(), name, type, file }
}

/** As the database stores it; of a long name the end stays, which says what it is. */
function cleanName(name: string): string {
  const clean = name.replace(HIDDEN, '').replace(/[/\\]/g, '_').trim()
  return clean.length > LONGEST_NAME ? `${clean.slice(0, 150)}…${clean.slice(-40)}` : clean
}
