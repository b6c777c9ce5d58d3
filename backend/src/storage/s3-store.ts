import { openAsBlob } from 'node:fs'
import { AwsClient } from 'aws4fetch'
import { storageErrors } from './errors.ts'
import type { ObjectStore } from './object-store.ts'
import { discardStagedUpload } from './staged-upload.ts'

export type S3Settings = {
  /** URL of the service, e.g. `https://s3.eu-central-1.amazonaws.com` or `http://minio:9000`. */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** Prefix of every key, so that several installations can share a bucket. */
  prefix?: string
}

const RETRIES = 3
const CONCURRENT_DELETES = 8

/**
 * Stores files in an S3-compatible service. Uses path-style URLs, which all of them support.
 * @param signal ends its requests
 */
export function createS3Store(settings: S3Settings, signal?: AbortSignal): ObjectStore {
  const client = new AwsClient({ ...settings, service: 's3', retries: RETRIES })
  const root = `${settings.endpoint.replace(/\/$/, '')}/${settings.bucket}`
  const keyOf = (version: string) => `${settings.prefix ?? ''}${version}`
  const addressOf = (version: string) => `${root}/${keyOf(version)}`

  async function send(
    method: string,
    address: string,
    init: RequestInit = {},
  ): Promise<Response | null> {
    const response = await client
      .fetch(address, { ...init, method, signal })
      .catch((cause: unknown) => unavailable(`${method} failed`, cause))
    if (response.status === 404) {
      // Says nothing of the file: no bucket, no files.
      if ((await response.text()).includes('NoSuchBucket')) unavailable('there is no such bucket')
      return null
    }
    if (!response.ok)
      unavailable(
        `${method} responded with ${response.status}: ${(await response.text()).slice(0, 500)}`,
      )
    return response
  }

  return {
    async put(staged, version) {
      const response = await send('PUT', addressOf(version), {
        body: await openAsBlob(staged.path),
      })
      if (!response) unavailable('there is no such bucket')
      await response.arrayBuffer()
      await discardStagedUpload(staged)
    },
    async read(version, size, range) {
      if (size === 0) return new Uint8Array()
      const headers: Record<string, string> = range
        ? { range: `bytes=${range.start}-${range.end}` }
        : {}
      const response = await send('GET', addressOf(version), { headers })
      return response?.body ?? null
    },
    async copy(from, to) {
      const headers = { 'x-amz-copy-source': `/${settings.bucket}/${keyOf(from)}` }
      const response = await send('PUT', addressOf(to), { headers })
      await response?.arrayBuffer()
      return response !== null
    },
    async remove(versions) {
      for (let at = 0; at < versions.length; at += CONCURRENT_DELETES) {
        const some = versions.slice(at, at + CONCURRENT_DELETES)
        await Promise.all(
          some.map(async (version) => (await send('DELETE', addressOf(version)))?.arrayBuffer()),
        )
      }
    },
  }
}

/** The details are only logged; clients can only retry later. */
function unavailable(what: string, cause?: unknown): never {
  throw storageErrors.storeUnavailable({ cause: new Error(`object store: ${what}`, { cause }) })
}
