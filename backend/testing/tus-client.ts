// Uploads that can be resumed: through the official client, and request by request.
import { Upload, type UploadOptions } from 'tus-js-client'

type Body = RequestInit['body']

const CHUNK_BYTES = 6 * 1024 * 1024

export type TusSender = { url: string; apikey: string; token?: string }

const headersOf = ({ apikey, token }: TusSender) => ({
  apikey,
  ...(token ? { authorization: `Bearer ${token}` } : {}),
})

/** Begins an upload as Supabase documents it. `done` resolves when the server has the file. */
export function startUpload(
  sender: TusSender,
  bytes: Buffer,
  metadata: Record<string, string>,
  { headers, ...options }: Partial<UploadOptions> = {},
): { upload: Upload; done: Promise<void> } {
  const { promise: done, resolve, reject } = withResolvers()
  const upload = new Upload(bytes, {
    endpoint: `${sender.url}/storage/v1/upload/resumable`,
    headers: { ...headersOf(sender), ...headers },
    metadata,
    chunkSize: CHUNK_BYTES,
    retryDelays: null,
    onSuccess: () => resolve(),
    onError: reject,
    ...options,
  })
  upload.start()
  return { upload, done }
}

// Node 20 has no Promise.withResolvers.
function withResolvers() {
  let resolve!: () => void
  let reject!: (error: Error) => void
  const promise = new Promise<void>((onDone, onError) => {
    resolve = onDone
    reject = onError
  })
  // A test may look at it later than it fails.
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}

export type TusResponse = { status: number; headers: Headers; code?: string; message?: string }

/** One request of the protocol; `path` is below `/storage/v1/upload/resumable`, or an address that the server gave. */
export async function tusRequest(
  sender: TusSender,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: Body,
): Promise<TusResponse> {
  const at = path.startsWith('/storage/') ? path : `/storage/v1/upload/resumable${path}`
  const response = await fetch(sender.url + at, {
    method,
    headers: { ...headersOf(sender), 'tus-resumable': '1.0.0', ...headers },
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  })
  const text = await response.text()
  const error = (text ? JSON.parse(text) : {}) as { code?: string; message?: string }
  return { status: response.status, headers: response.headers, ...error }
}

export function encodeMetadata(metadata: Record<string, string>): string {
  return Object.entries(metadata)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')
}

/** Creates an upload without sending bytes. */
export function createUpload(
  sender: TusSender,
  length: number,
  metadata: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<TusResponse> {
  return tusRequest(sender, 'POST', '', {
    'upload-length': String(length),
    'upload-metadata': encodeMetadata(metadata),
    ...headers,
  })
}

/** Sends bytes from an offset on. */
export function sendPart(
  sender: TusSender,
  location: string,
  offset: number,
  body: Body,
  headers: Record<string, string> = {},
): Promise<TusResponse> {
  return tusRequest(
    sender,
    'PATCH',
    location,
    {
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      ...headers,
    },
    body,
  )
}
