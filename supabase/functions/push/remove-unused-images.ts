const AT_ONCE = 100

export type CleaningDependencies = {
  projectUrl: string
  secretKey: string
  fetch: typeof fetch
}

/**
 * Removes chat images that no message used within a day, through the storage API, so that the files are deleted too.
 * @returns how many were removed
 */
export async function removeUnusedImages(dependencies: CleaningDependencies): Promise<number> {
  let removed = 0
  for (;;) {
    const names = (await call(dependencies, 'POST', 'rest/v1/rpc/take_unused_images', {
      max_results: AT_ONCE,
    })) as string[]
    if (names.length === 0) return removed
    await call(dependencies, 'DELETE', 'storage/v1/object/chat-images', { prefixes: names })
    removed += names.length
  }
}

async function call(
  { projectUrl, secretKey, fetch }: CleaningDependencies,
  method: string,
  path: string,
  body: object,
): Promise<unknown> {
  // Legacy keys are JWTs and go into both headers; new secret keys are not JWTs.
  const bearer: Record<string, string> = secretKey.startsWith('sb_')
    ? {}
    : { authorization: `Bearer ${secretKey}` }
  const response = await fetch(`${projectUrl}/${path}`, {
    method,
    headers: { apikey: secretKey, 'content-type': 'application/json', ...bearer },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  })
  if (!response.ok) throw new Error(`${path} responded with ${response.status}`)
  return response.json()
}
