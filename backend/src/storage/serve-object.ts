import { parseByteRange } from './byte-range.ts'
import type { Storage } from './context.ts'
import { storageErrors } from './errors.ts'
import { LIMITS } from './limits.ts'
import type { ObjectRow } from './object-rows.ts'
import { safeHeaders } from './response-headers.ts'

export type Serving = {
  /** Private files must not be stored in shared caches. */
  isPublic: boolean
  /** When the signed URL expires (ms); the response must not be cached for longer. */
  expiresAt?: number
  /** Reloads the row: the object may be replaced between reading its row and its file. */
  reload(): Promise<ObjectRow>
}

/** Responds with an object, a range of it, or 304. */
export async function serveObject(
  storage: Storage,
  request: Request,
  object: ObjectRow,
  serving: Serving,
): Promise<Response> {
  const { eTag, size } = object.metadata
  const headers = objectHeaders(storage, request, object, serving)
  if (isUnchanged(request, object)) return new Response(null, { status: 304, headers })
  const range = rangeOf(request, object)
  if (range === 'unsatisfiable') throw storageErrors.rangeNotSatisfiable(size)
  const sent = range ? range.end - range.start + 1 : size
  headers.set('content-length', String(sent))
  if (range) headers.set('content-range', `bytes ${range.start}-${range.end}/${size}`)
  const status = range ? 206 : 200
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  const body = await storage.store.read(object.version, size, range)
  if (body) return new Response(body, { status, headers })
  const now = await serving.reload()
  if (now.metadata.eTag !== eTag) return serveObject(storage, request, now, serving)
  throw new Error(`the bytes of version ${object.version} are missing`)
}

function objectHeaders(
  { clock }: Storage,
  request: Request,
  { name, metadata }: ObjectRow,
  { isPublic, expiresAt }: Serving,
): Headers {
  const headers = new Headers(
    safeHeaders({
      type: metadata.mimetype,
      download: new URL(request.url).searchParams.get('download'),
      fileName: name.split('/').at(-1) ?? name,
    }),
  )
  headers.set('accept-ranges', 'bytes')
  headers.set('etag', metadata.eTag)
  headers.set('last-modified', new Date(metadata.lastModified).toUTCString())
  const left =
    expiresAt === undefined
      ? null
      : Math.max(0, Math.floor(Math.min(expiresAt - clock.now(), LIMITS.signedCacheMs) / 1000))
  headers.set('cache-control', cacheControl(metadata.cacheControl, isPublic, left))
  // Another user may sign in with the same browser, and must not see this from its cache.
  if (!isPublic && expiresAt === undefined) headers.set('vary', 'authorization')
  return headers
}

function cacheControl(wanted: string, isPublic: boolean, secondsLeft: number | null): string {
  if (isPublic) return /\b(public|private|no-store)\b/.test(wanted) ? wanted : `public, ${wanted}`
  const asked = Number(/\bmax-age=(\d+)/.exec(wanted)?.[1] ?? 0)
  if (/\bno-(store|cache)\b/.test(wanted)) return 'private, no-store'
  return `private, max-age=${secondsLeft === null ? asked : Math.min(asked, secondsLeft)}`
}

function isUnchanged(request: Request, { metadata }: ObjectRow): boolean {
  const tags = request.headers.get('if-none-match')
  if (tags !== null) {
    const known = tags.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
    return known.includes('*') || known.includes(metadata.eTag)
  }
  const since = Date.parse(request.headers.get('if-modified-since') ?? '')
  // The header has a resolution of seconds.
  return Math.floor(Date.parse(metadata.lastModified) / 1000) * 1000 <= since
}

function rangeOf(request: Request, { metadata }: ObjectRow) {
  const ifRange = request.headers.get('if-range')
  if (ifRange && ifRange !== metadata.eTag) return null
  return parseByteRange(request.headers.get('range'), metadata.size)
}
