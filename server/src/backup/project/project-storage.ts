// The files of a Supabase project, through its storage API: where they lie is the project's own business.
import { setTimeout as wait } from 'node:timers/promises'
import { BackupError, StoreAwayError } from '../archive/errors.ts'
import type { FileSource } from '../files/file-source.ts'
import type { Settings } from '../../settings.ts'

export type ProjectStorage = ReturnType<typeof openProjectStorage>

type Place = { bucket: string; name: string }
export type FileTraits = { type: string | null; cacheControl: string | null; own: unknown }

/** A large project says now and then that it is busy; what lasts longer is for a person to look at. */
const RETRY_AFTER_MS = [1_000, 4_000]
const REQUEST_MS = 120_000

/** @throws BackupError if the settings do not name the project, or it refuses them */
export function openProjectStorage(
  { SUPABASE_URL, SUPABASE_SECRET_KEY: key }: Settings,
  signal?: AbortSignal,
) {
  if (!SUPABASE_URL || !key)
    throw new BackupError(
      'This database is one of a Supabase project: set SUPABASE_URL and SUPABASE_SECRET_KEY to the same project, for its files. Nothing was changed.',
    )
  const url = SUPABASE_URL.replace(/\/+$/, '')
  // Legacy keys are tokens, which go into both headers; newer ones may.
  const known = { apikey: key, authorization: `Bearer ${key}`, 'accept-encoding': 'identity' }

  async function send(
    method: string,
    path: string,
    more: { headers?: Record<string, string>; body?: Uint8Array | string } = {},
  ) {
    for (const delay of [...RETRY_AFTER_MS, null]) {
      const outcome = await fetch(`${url}/storage/v1${path}`, {
        method,
        headers: { ...known, ...more.headers },
        body: more.body ?? null,
        signal: signal
          ? AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)])
          : AbortSignal.timeout(REQUEST_MS),
      }).catch((cause: unknown) => {
        signal?.throwIfAborted()
        return cause as Error
      })
      const isPassing = outcome instanceof Error || outcome.status === 429 || outcome.status >= 500
      if (!isPassing) return outcome
      if (delay === null) {
        const reason =
          outcome instanceof Error ? 'cannot be reached' : `responded with ${outcome.status}`
        throw new StoreAwayError(`The storage of the project at ${url} ${reason}.`, {
          cause: outcome instanceof Error ? outcome : undefined,
        })
      }
      if (!(outcome instanceof Error)) await outcome.body?.cancel()
      await wait(delay, undefined, { signal })
    }
    throw new Error('unreachable')
  }

  const files: FileSource = {
    async read({ bucket, name, size, etag }) {
      const response = await send('GET', `/object/authenticated/${addressOf({ bucket, name })}`)
      const isThere =
        response.ok &&
        isSame(etag, response.headers.get('etag')) &&
        isSame(size, response.headers.get('content-length'))
      if (isThere && response.body) return response.body
      const reason = await response.text().catch(() => '')
      if (!response.ok && !isMissing(response.status, reason))
        throw refusal(response.status, reason)
      return null
    },
  }

  function refusal(status: number, reason: string): BackupError {
    const isKey = status === 401 || status === 403 || /jwt|signature|api key/i.test(reason)
    return new BackupError(
      isKey
        ? `The project at ${url} refuses SUPABASE_SECRET_KEY: it takes a secret key (sb_secret_…), or the older service_role key.`
        : `The storage of the project at ${url} responded with ${status}: ${reason.slice(0, 200)}`,
    )
  }

  return {
    url,
    files,
    /** Before anything is changed. */
    async check() {
      const response = await send('GET', '/bucket')
      const text = await response.text()
      if (!response.ok) throw refusal(response.status, text)
    },
    async upload(place: Place, { type, cacheControl, own }: FileTraits, bytes: Uint8Array) {
      const headers: Record<string, string> = {
        'x-upsert': 'true',
        'content-type': type ?? 'application/octet-stream',
        ...(cacheControl && { 'cache-control': cacheControl }),
        ...(own ? { 'x-metadata': Buffer.from(JSON.stringify(own)).toString('base64') } : {}),
      }
      const response = await send('POST', `/object/${addressOf(place)}`, { headers, body: bytes })
      const text = await response.text()
      if (!response.ok) throw refusal(response.status, text)
    },
    async remove({ bucket, name }: Place) {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ prefixes: [name] })
      const response = await send('DELETE', `/object/${encodeURIComponent(bucket)}`, {
        headers,
        body,
      })
      const text = await response.text()
      if (!response.ok) throw refusal(response.status, text)
    },
  }
}

const addressOf = ({ bucket, name }: Place) =>
  [bucket, ...name.split('/')].map(encodeURIComponent).join('/')

// What one side does not say cannot differ.
const isSame = (known: string | number | null | undefined, received: string | null) =>
  known === null ||
  known === undefined ||
  received === null ||
  String(known) === received.replace(/^W\//, '')

// The storage service responds with 400 and a body that says 404.
const isMissing = (status: number, reason: string) =>
  status === 404 || (status === 400 && /not_found|NoSuchKey|"statusCode":\s*"404"/i.test(reason))
