const CACHE = 'content-images'
/** Some 20 MB: pictures are shrunk before they are uploaded. */
const AT_MOST = 200

/** Content images lie under random names and never change (spec section 3): what was seen once needs no network. */
export function isContentImage({ pathname }: URL): boolean {
  return pathname.includes('/storage/v1/object/public/images/')
}

export async function answerImage(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(request)
  if (kept) return kept
  // An image element asks in a way whose failures cannot be told from answers; this one can be looked into.
  const response = await fetch(request.url, { mode: 'cors', credentials: 'omit' })
  if (response.ok) await keep(cache, request, response.clone())
  return response
}

async function keep(cache: Cache, request: Request, response: Response) {
  try {
    await cache.put(request, response)
    // Keys come in the order in which they were put: the oldest go first.
    const oldest = (await cache.keys()).slice(0, -AT_MOST)
    await Promise.all(oldest.map((each) => cache.delete(each)))
  } catch (error) {
    // A full disk refuses to keep it; the picture is shown all the same.
    console.warn('An image was not kept', error)
  }
}
