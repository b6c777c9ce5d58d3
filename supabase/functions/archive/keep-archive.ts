// What the archive needs about once a minute: seals, the hashes of new files and, once a day, pruning. The server of
// `npm start` runs it, and on hosted Supabase the Edge Function next to it.

export type KeepingDependencies = {
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
type Reviewing = { is_done: boolean; is_busy?: boolean }
type WaitingFile = { path: string; message_id: string }

/** So many unread files in a row, and the store is taken to be away. */
const MOST_UNREAD = 20
const MOST_QUOTED = 300

/** Seals what is new and reads the files that were sent. @throws what the first step that failed threw, after all others */
export async function keepArchive(dependencies: KeepingDependencies): Promise<Kept> {
  const kept: Kept = { sealed: 0, files: 0 }
  await runAll(
    // Files first, so that their records come under the same seal.
    async () => void (kept.files = await recordFiles(dependencies)),
    async () => void (kept.sealed = await seal(dependencies)),
    () => makeSearchable(dependencies),
    () => reviewNewMessages(dependencies),
  )
  return kept
}

/** One after the other: one that fails keeps none of the others waiting. @throws what the first one threw */
export async function runAll(...steps: (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps) await step().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0] as Error
}

/** Queues for supervisors what the lexicon catches and the sample draws from the records that were sealed. */
async function reviewNewMessages(dependencies: KeepingDependencies): Promise<void> {
  while (!dependencies.signal?.aborted) {
    const { is_done, is_busy } = (await call(dependencies, 'review_new_messages')) as Reviewing
    // Busy: another process goes through them.
    if (is_done || is_busy) break
  }
}

async function seal(dependencies: KeepingDependencies): Promise<number> {
  let sealed = 0
  while (!dependencies.signal?.aborted) {
    const { seals, records, is_done } = (await call(dependencies, 'seal_archive')) as Sealing
    sealed += records
    // Not done, and nothing sealed: a transaction is under way, for which the next run looks again.
    if (is_done || seals === 0) break
  }
  return sealed
}

async function makeSearchable(dependencies: KeepingDependencies): Promise<void> {
  while (!dependencies.signal?.aborted) {
    const { is_done } = (await call(dependencies, 'index_archive')) as { is_done: boolean }
    if (is_done) break
  }
}

async function recordFiles(dependencies: KeepingDependencies): Promise<number> {
  let count = 0
  let unread = 0
  let failure: Error | undefined
  while (!dependencies.signal?.aborted && unread < MOST_UNREAD) {
    // One at a time: what is taken waits ten minutes, read or not.
    const [file] = (await call(dependencies, 'take_archive_files', {
      max_results: 1,
    })) as WaitingFile[]
    if (!file) break
    const { path } = file
    try {
      const bytes = await read(dependencies, path)
      // Without a hash it is archived as missing, after a few tries.
      const hash = bytes && (await hashOf(bytes))
      await call(dependencies, 'record_archive_file', { path, ...hash })
      count++
      unread = 0
    } catch (error) {
      // A store that does not respond keeps the seals waiting as well.
      if ((error as Error).name === 'TimeoutError') throw error
      failure ??= error as Error
      unread++
    }
  }
  if (failure) throw failure
  return count
}

/** Removes expired records. @returns how many */
export async function pruneArchive(dependencies: KeepingDependencies): Promise<number> {
  let pruned = 0
  while (!dependencies.signal?.aborted) {
    const count = (await call(dependencies, 'prune_archive', { max_records: 1000 })) as number
    if (count === 0) break
    pruned += count
  }
  return pruned
}

/** The last seal, for noting it elsewhere; null before the first. */
export async function archiveHead(
  dependencies: KeepingDependencies,
): Promise<{ seal: number; hash: string; sealed_at: string } | null> {
  const [head] = (await call(dependencies, 'archive_head')) as {
    seal: number
    hash: string
    sealed_at: string
  }[]
  return head ?? null
}

/**
 * At most 25 MiB, the limit of the bucket.
 * @returns null if the store says that it does not have the file
 * @throws if nobody knows: it is read again later
 */
async function read(dependencies: KeepingDependencies, path: string): Promise<ArrayBuffer | null> {
  const { projectUrl, fetch } = dependencies
  const address = `${projectUrl}/storage/v1/object/authenticated/chat-images/${path}`
  const response = await fetch(address, {
    headers: headersFor(dependencies),
    signal: AbortSignal.timeout(60_000),
  })
  if (response.ok) return response.arrayBuffer()
  const text = await response.text()
  if (saysNotFound(response.status, text)) return null
  throw new Error(
    `the file ${path} cannot be read: ${response.status}: ${text.slice(0, MOST_QUOTED)}`,
  )
}

// The storage of a hosted project responds with 400 and a body that says 404. A proxy, or a bucket that is gone, says nothing of
// the file.
const saysNotFound = (status: number, text: string) =>
  (status === 404 || status === 400) &&
  /NoSuchKey|not_found|Object not found/.test(text) &&
  !/NoSuchBucket|Bucket not found/.test(text)

async function hashOf(bytes: ArrayBuffer) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return { sha256, bytes: bytes.byteLength }
}

async function call(
  dependencies: KeepingDependencies,
  name: string,
  body: object = {},
): Promise<unknown> {
  const { projectUrl, fetch } = dependencies
  const response = await fetch(`${projectUrl}/rest/v1/rpc/${name}`, {
    method: 'POST',
    headers: { ...headersFor(dependencies), 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  })
  const text = await response.text()
  if (!response.ok)
    throw new Error(`${name} responded with ${response.status}: ${text.slice(0, MOST_QUOTED)}`)
  return text === '' ? null : JSON.parse(text)
}

// Legacy keys are JWTs and go into both headers; new secret keys are not JWTs.
function headersFor({ secretKey }: KeepingDependencies): Record<string, string> {
  return secretKey.startsWith('sb_')
    ? { apikey: secretKey }
    : { apikey: secretKey, authorization: `Bearer ${secretKey}` }
}
