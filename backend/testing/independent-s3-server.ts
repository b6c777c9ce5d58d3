// An S3 server that others wrote, which verifies signatures and keeps objects on disk: what our own stand-in
// (s3-service.ts) and our clients have misunderstood in the same way, it does not.
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'

/** The parts of it that are used; the package brings no types. */
type Server = { run(): Promise<{ port: number }>; close(): Promise<void> }
type Options = {
  address: string
  port: number
  silent: boolean
  directory: string
  configureBuckets: { name: string }[]
}
const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as new (
  options: Options,
) => Server

/** The one account that it knows. */
const KEY = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', region: 'us-east-1' }
const BUCKET = 'team'

export type IndependentS3Server = Awaited<ReturnType<typeof startIndependentS3Server>>

export async function startIndependentS3Server() {
  const directory = await mkdtemp(join(tmpdir(), 's3-server-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET }],
  })
  const { port } = await server.run()
  const endpoint = `http://127.0.0.1:${port}`
  const client = new AwsClient({ ...KEY, service: 's3' })

  async function ask(path: string, init: RequestInit = {}): Promise<string> {
    const response = await client.fetch(`${endpoint}/${BUCKET}${path}`, init)
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    return response.text()
  }

  return {
    settings: { endpoint, bucket: BUCKET, ...KEY },
    put: (key: string, text: string) => ask(`/${key}`, { method: 'PUT', body: text }),
    /** The keys of what it holds. */
    async keys(): Promise<string[]> {
      const listed = await ask('?list-type=2')
      return [...listed.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key)
    },
    async clear() {
      for (const key of await this.keys()) await ask(`/${key}`, { method: 'DELETE' })
    },
    async close() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
