import { openAsBlob } from 'node:fs'
import { AwsClient } from 'aws4fetch'
import { discardDraft } from './draft.ts'
import { storageErrors } from './errors.ts'
import type { ObjectStore } from './object-store.ts'

export type S3Settings = {
  /** Address of the service, e.g. `https://s3.eu-central-1.amazonaws.com` or `http://minio:9000`. */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** Put before every key, so that several installations can share a bucket. */
  prefix?: string
}

const RETRIES = 3
const REMOVALS_AT_ONCE = 8

/** Bytes in any S3-compatible service, addressed by path, which every one of them understands. */
export function createS3Store(settings: S3Settings): ObjectStore {
  const client = new AwsClient({ ...settings, service: 's3', retries: RETRIES })
  const root = `${settings.endpoint.replace(/\/$/, '')}/${settings.bucket}`
  const keyOf = (version: string) => `${settings.prefix ?? ''}${version}`
  const addressOf = (version: string) => `${root}/${keyOf(version)}`

  async function ask(
    method: string,
    address: string,
    init: RequestInit = {},
  ): Promise<Response | null> {
    const response = await client
      .fetch(address, { ...init, method })
      .catch((cause: unknown) => unavailable(`${method} did not arrive`, cause))
    if (response.status === 404) {
      await response.body?.cancel()
      return null
    }
    if (!response.ok)
      unavailable(`${method} answered ${response.status}: ${(await response.text()).slice(0, 500)}`)
    return response
  }

  return {
    async keep(draft, version) {
      const response = await ask('PUT', addressOf(version), { body: await openAsBlob(draft.path) })
      if (!response) unavailable('there is no such bucket')
      await response.arrayBuffer()
      await discardDraft(draft)
    },
    async read(version, size, range) {
      if (size === 0) return new Uint8Array()
      const headers: Record<string, string> = range
        ? { range: `bytes=${range.start}-${range.end}` }
        : {}
      const response = await ask('GET', addressOf(version), { headers })
      return response?.body ?? null
    },
    async copy(from, to) {
      const headers = { 'x-amz-copy-source': `/${settings.bucket}/${keyOf(from)}` }
      const response = await ask('PUT', addressOf(to), { headers })
      await response?.arrayBuffer()
      return response !== null
    },
    async remove(versions) {
      for (let at = 0; at < versions.length; at += REMOVALS_AT_ONCE) {
        const some = versions.slice(at, at + REMOVALS_AT_ONCE)
        await Promise.all(
          some.map(async (version) => (await ask('DELETE', addressOf(version)))?.arrayBuffer()),
        )
      }
    },
  }
}

/** What went wrong is for the log; whoever uploads or reads can only try again later. */
function unavailable(what: string, cause?: unknown): never {
  throw storageErrors.storeUnavailable({ cause: new Error(`object store: ${what}`, { cause }) })
}
