const CACHE = 'content-images'
/** About 20 MB: images are shrunk before upload. */
const AT_MOST = 200

/**
 * Content images have random names and never change (product.md P39), so a cached one needs no network. Those of the
 * demo team are files of the app (web/public/demo).
 */
export function isContentImage({ pathname }: URL): boolean {
  return pathname.includes('/storage/v1/object/public/images/') || pathname.startsWith('/demo/')
}

export async function respondWithImage(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(request)
  if (kept) return kept
  // An image element's request gives an opaque response, whose failures can't be detected; refetch it in a
  // readable mode.
  const response = await fetch(request.url, { mode: 'cors', credentials: 'omit' })
  if (response.ok) await keep(cache, request, response.clone())
  return response
}

async function keep(cache: Cache, request: Request, response: Response) {
  try {
    await cache.put(request, response)
    // Keys are in insertion order: the oldest are evicted first.
    const oldest = (await cache.keys()).slice(0, -AT_MOST)
    await Promise.all(oldest.map((each) => cache.delete(each)))
  } catch (error) {
    // A full disk refuses to store it; the image is shown regardless.
    console.warn('Could not cache an image', error)
  }
}
