// The few requests of the S3 protocol that keeping backups takes.
import { setTimeout as wait } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { BackupError } from '../archive/errors.ts'

export type BackupBucket = {
  endpoint: string
  region: string
  bucket: string
  /** Ends with a slash, or is empty. */
  prefix: string
  accessKeyId: string
  secretAccessKey: string
  /** Ends everything but cleaning up. */
  signal?: AbortSignal
}

const RETRIES = 5
const FIRST_WAIT_MS = 500
const TIMEOUT_MS = 120_000
const CLEANING_TIMEOUT_MS = 5_000

export function createS3Requests(bucket: BackupBucket) {
  const { accessKeyId, secretAccessKey, region, endpoint } = bucket
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 })
  const stopSignals = bucket.signal ? [bucket.signal] : []
  const root = `${endpoint.replace(/\/$/, '')}/${bucket.bucket}`

  /** @throws StoreError if the store cannot be reached or refuses; after retries, where these may help */
  async function send(method: string, key: string, request: S3Request = {}): Promise<S3Response> {
    const url = new URL(key ? `${root}/${bucket.prefix}${key}` : root)
    for (const [name, value] of Object.entries(request.query ?? {}))
      url.searchParams.set(name, value)
    for (let attempt = 1; ; attempt++) {
      const outcome = await tryOnce(method, url, request)
      if (!(outcome instanceof StoreError)) return outcome
      if (request.isCleaning || !outcome.mayPass || attempt > RETRIES) throw outcome
      await wait(FIRST_WAIT_MS * 2 ** (attempt - 1), null, { signal: bucket.signal })
    }
  }

  async function tryOnce(method: string, url: URL, { body, range, isCleaning }: S3Request) {
    try {
      const response = await client.fetch(url.href, {
        method,
        body,
        signal: isCleaning
          ? AbortSignal.timeout(CLEANING_TIMEOUT_MS)
          : AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...stopSignals]),
        headers: range ? { range: `bytes=${range.start}-${range.end}` } : {},
      })
      const { status, headers } = response
      const bytes = Buffer.from(await response.arrayBuffer())
      if (response.ok) return { headers, bytes }
      const code = /<Code>(.*?)<\/Code>/.exec(bytes.toString('utf8', 0, 2000))?.[1] ?? ''
      return new StoreError(endpoint, `responded with ${status} ${code}`.trim(), status)
    } catch (cause) {
      return new StoreError(endpoint, 'cannot be reached', 0, { cause })
    }
  }

  return { send }
}

type S3Request = {
  query?: Record<string, string>
  body?: Buffer | string
  range?: { start: number; end: number }
  /** Tried once, also after the signal. */
  isCleaning?: boolean
}
type S3Response = { headers: Headers; bytes: Buffer }

export class StoreError extends BackupError {
  constructor(
    endpoint: string,
    what: string,
    readonly status: number,
    options?: ErrorOptions,
  ) {
    super(`The store of backups at ${endpoint} ${what}.`, options)
  }

  get mayPass(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}

export type S3Requests = ReturnType<typeof createS3Requests>

/** The texts of an element, in order. */
export function textsOf(xml: string, element: string): string[] {
  const found = xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))
  return [...found].map(([, text = '']) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
}
