import { auth, storage } from '#data/supabase.ts'
import { prepareImage } from '#lib/images/prepare-image.ts'
import { m } from '#lib/messages/messages.js'
import { newId } from '#lib/new-id.ts'
import { ServerRefusal } from '#lib/server/notify-error.ts'
import { toStoredUrl } from '#lib/server/site-address.ts'
import { connectedConfig } from '#lib/server/supabase-connection.ts'

const BUCKET = 'images'
/** Sharp on a phone of three pixels per point, and a tenth of what a camera makes. */
const WANTED = { longestSide: 1600, type: 'image/webp' } as const
/** Files under a random name never change, so browsers may keep them (product.md P39). */
const CACHE_SECONDS = 3600

/**
 * Uploads a picture under a random name and returns its public URL (product.md P39). The request is made by
 * hand because fetch, which the storage client uses, cannot say how much has been sent.
 */
export async function uploadImage(
  file: File,
  onProgress: (share: number) => void,
): Promise<string> {
  const picture = await prepareImage(file, WANTED)
  const name = `${newId()}.${picture.extension}`
  await send(name, picture.file, onProgress)
  return toStoredUrl((await storage()).from(BUCKET).getPublicUrl(name).data.publicUrl)
}

async function send(name: string, picture: Blob, onProgress: (share: number) => void) {
  const { supabaseUrl, supabaseKey } = connectedConfig()
  const { data } = await (await auth()).getSession()
  const request = new XMLHttpRequest()
  request.open('POST', `${supabaseUrl}/storage/v1/object/${BUCKET}/${name}`)
  request.setRequestHeader('apikey', supabaseKey)
  request.setRequestHeader('Authorization', `Bearer ${data.session?.access_token ?? supabaseKey}`)
  request.setRequestHeader('Content-Type', picture.type)
  request.setRequestHeader('Cache-Control', `max-age=${CACHE_SECONDS}`)
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total)
  await new Promise<void>((resolve, reject) => {
    request.onload = () => (request.status < 300 ? resolve() : reject(refusalOf(request)))
    request.onerror = () => reject(new Error(m.admin_image_offline()))
    request.send(picture)
  })
}

function refusalOf({ responseText, status }: XMLHttpRequest): Error {
  try {
    const { message } = JSON.parse(responseText) as { message?: string }
    if (message) return new ServerRefusal(message, status)
  } catch {
    // A proxy in between responds in its own way.
  }
  return new Error(m.admin_image_refused({ status }))
}
