// What the archive needs about once a minute: seals, the hashes of new files and, once a day, pruning. The server of
// `npm start` runs it, and on hosted Supabase the Edge Function next to it.

export type KeepingSurroundings = {
  projectUrl: string
  secretKey: string
  fetch: typeof fetch
  /** Ends the work between two steps. */
  signal?: AbortSignal
}

export type Kept = {
  /** Records sealed. */
  sealed: number
  /** Files read. */
  files: number
}

type Sealing = { seals: number; records: number; is_done: boolean }
type WaitingFile = { path: string; message_id: string }

const FILES_AT_ONCE = 20

/** Seals what is new and reads the files that were sent. */
export async function keepArchive(surroundings: KeepingSurroundings): Promise<Kept> {
  // Files first, so that their records come under the same seal.
  const files = await recordFiles(surroundings)
  const sealed = await seal(surroundings)
  await makeSearchable(surroundings)
  await reviewNewMessages(surroundings)
  return { sealed, files }
}

/** Queues for supervisors what the lexicon catches and the sample draws from the records that were sealed. */
async function reviewNewMessages(surroundings: KeepingSurroundings): Promise<void> {
  while (!surroundings.signal?.aborted) {
    const { is_done } = (await call(surroundings, 'review_new_messages')) as { is_done: boolean }
    if (is_done) break
  }
}

async function seal(surroundings: KeepingSurroundings): Promise<number> {
  let sealed = 0
  while (!surroundings.signal?.aborted) {
    const { seals, records, is_done } = (await call(surroundings, 'seal_archive')) as Sealing
    sealed += records
    // Not done, and nothing sealed: a transaction is under way, for which the next run looks again.
    if (is_done || seals === 0) break
  }
  return sealed
}

async function makeSearchable(surroundings: KeepingSurroundings): Promise<void> {
  while (!surroundings.signal?.aborted) {
    const { is_done } = (await call(surroundings, 'index_archive')) as { is_done: boolean }
    if (is_done) break
  }
}

async function recordFiles(surroundings: KeepingSurroundings): Promise<number> {
  let count = 0
  while (!surroundings.signal?.aborted) {
    const waiting = (await call(surroundings, 'take_archive_files', {
      max_results: FILES_AT_ONCE,
    })) as WaitingFile[]
    for (const { path } of waiting) {
      const bytes = await read(surroundings, path)
      if (bytes) await call(surroundings, 'record_archive_file', { path, ...(await hashOf(bytes)) })
      // Archived as missing after a few tries.
      else await call(surroundings, 'record_archive_file', { path })
      count++
    }
    if (waiting.length < FILES_AT_ONCE) break
  }
  return count
}

/** Removes expired records. @returns how many */
export async function pruneArchive(surroundings: KeepingSurroundings): Promise<number> {
  let pruned = 0
  while (!surroundings.signal?.aborted) {
    const count = (await call(surroundings, 'prune_archive', { max_records: 1000 })) as number
    if (count === 0) break
    pruned += count
  }
  return pruned
}

/** The last seal, for noting it elsewhere; null before the first. */
export async function archiveHead(
  surroundings: KeepingSurroundings,
): Promise<{ seal: number; hash: string; sealed_at: string } | null> {
  const [head] = (await call(surroundings, 'archive_head')) as {
    seal: number
    hash: string
    sealed_at: string
  }[]
  return head ?? null
}

// At most 25 MiB, the limit of the bucket.
async function read(surroundings: KeepingSurroundings, path: string): Promise<ArrayBuffer | null> {
  const { projectUrl, fetch } = surroundings
  const address = `${projectUrl}/storage/v1/object/authenticated/chat-images/${path}`
  const response = await fetch(address, {
    headers: headersFor(surroundings),
    signal: AbortSignal.timeout(60_000),
  })
  if (response.ok) return response.arrayBuffer()
  await response.body?.cancel()
  return null
}

async function hashOf(bytes: ArrayBuffer) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return { sha256, bytes: bytes.byteLength }
}

async function call(
  surroundings: KeepingSurroundings,
  name: string,
  body: object = {},
): Promise<unknown> {
  const { projectUrl, fetch } = surroundings
  const response = await fetch(`${projectUrl}/rest/v1/rpc/${name}`, {
    method: 'POST',
    headers: { ...headersFor(surroundings), 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${name} answered ${response.status}: ${text.slice(0, 300)}`)
  return text === '' ? null : JSON.parse(text)
}

// Legacy keys are JWTs and go into both headers; new secret keys are not JWTs.
function headersFor({ secretKey }: KeepingSurroundings): Record<string, string> {
  return secretKey.startsWith('sb_')
    ? { apikey: secretKey }
    : { apikey: secretKey, authorization: `Bearer ${secretKey}` }
}
