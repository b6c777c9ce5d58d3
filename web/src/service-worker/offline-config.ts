const CACHE = 'config'
const PATH = '/config.json'

/** The page of a first visit asked before there was anybody to keep the answer. A hosted build has no such file. */
export async function keepConfig(): Promise<void> {
  await (await caches.open(CACHE)).add(PATH).catch(() => undefined)
}

/** The newest configuration there is; without a network, the one of the last visit. */
export async function answerConfig(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  try {
    const response = await fetch(request)
    if (response.ok) await cache.put(PATH, response.clone())
    return response
  } catch (error) {
    const kept = await cache.match(PATH)
    if (kept) return kept
    throw error
  }
}
