import { parseByteRange } from './byte-range.ts'
import { storageErrors } from './errors.ts'
import type { ObjectRow } from './object-rows.ts'
import { safeHeaders } from './response-headers.ts'
import type { Storage } from './service.ts'

export type Serving = {
  /** Members' files must not lie in caches that others use. */
  isPublic: boolean
  /** A signed address stops working then (ms), so nothing may keep the reply for longer. */
  expiresAt?: number
  /** Looks the object up again: it may have been replaced between its row and its bytes. */
  again(): Promise<ObjectRow>
}

/** The reply that carries an object: whole, a range of it, or only that it has not changed. */
export async function serveObject(
  storage: Storage,
  request: Request,
  object: ObjectRow,
  serving: Serving,
): Promise<Response> {
  const { eTag, size } = object.metadata
  const headers = headersOf(storage, request, object, serving)
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
  const now = await serving.again()
  if (now.metadata.eTag !== eTag) return serveObject(storage, request, now, serving)
  throw new Error(`the bytes of version ${object.version} are missing`)
}

function headersOf(
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
    expiresAt === undefined ? null : Math.max(0, Math.floor((expiresAt - clock.now()) / 1000))
  headers.set('cache-control', cacheControl(metadata.cacheControl, isPublic, left))
  return headers
}

function cacheControl(wanted: string, isPublic: boolean, secondsLeft: number | null): string {
  if (isPublic) return /\b(public|private|no-store)\b/.test(wanted) ? wanted : `public, ${wanted}`
  const asked = Number(/\bmax-age=(\d+)/.exec(wanted)?.[1] ?? 0)
  if (/\bno-(store|cache)\b/.test(wanted)) return wanted
  return `private, max-age=${secondsLeft === null ? asked : Math.min(asked, secondsLeft)}`
}

function isUnchanged(request: Request, { metadata }: ObjectRow): boolean {
  const tags = request.headers.get('if-none-match')
  if (tags !== null) {
    const known = tags.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
    return known.includes('*') || known.includes(metadata.eTag)
  }
  const since = Date.parse(request.headers.get('if-modified-since') ?? '')
  // The header counts in seconds.
  return Math.floor(Date.parse(metadata.lastModified) / 1000) * 1000 <= since
}

function rangeOf(request: Request, { metadata }: ObjectRow) {
  const ifRange = request.headers.get('if-range')
  if (ifRange && ifRange !== metadata.eTag) return null
  return parseByteRange(request.headers.get('range'), metadata.size)
}
