// An in-memory S3 service on loopback that verifies every signature.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { signatureFault } from './aws-signature.ts'

const KEY = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret/with+signs=', region: 'eu-test' }
const BUCKET = 'team'

export type S3Service = Awaited<ReturnType<typeof startS3Service>>

export async function startS3Service() {
  /** By key within the bucket. */
  const objects = new Map<string, Buffer>()
  const refused: string[] = []
  let failures = 0

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const body = await buffer(request).catch(() => null)
    // The client left in the middle of its upload.
    if (!body) return
    const { method = '', url = '', headers } = request
    const fault = signatureFault({ method, url, headers, body }, KEY)
    const respond = (status: number, text: Buffer | string = '', more = {}) =>
      response.writeHead(status, more).end(text)
    if (fault) {
      refused.push(fault)
      return respond(403, `<Error><Code>${fault}</Code></Error>`)
    }
    if (failures-- > 0) return respond(503, '<Error><Code>SlowDown</Code></Error>')
    if (!url.startsWith(`/${BUCKET}/`))
      return respond(404, '<Error><Code>NoSuchBucket</Code></Error>')
    const key = decodeURIComponent(url.slice(BUCKET.length + 2))
    const missing = () => respond(404, '<Error><Code>NoSuchKey</Code></Error>')

    if (method === 'DELETE') {
      objects.delete(key)
      return respond(204)
    }
    if (method === 'PUT' && headers['x-amz-copy-source']) {
      const source = decodeURIComponent(String(headers['x-amz-copy-source']))
      const bytes = objects.get(source.slice(BUCKET.length + 2))
      if (!bytes) return missing()
      objects.set(key, bytes)
      return respond(200, '<CopyObjectResult></CopyObjectResult>')
    }
    if (method === 'PUT') {
      if (headers['content-length'] === undefined) return respond(411)
      objects.set(key, body)
      return respond(200)
    }
    const bytes = objects.get(key)
    if (!bytes) return missing()
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
    if (!from) return respond(200, bytes)
    const range = { 'content-range': `bytes ${from}-${to}/${bytes.length}` }
    return respond(206, bytes.subarray(Number(from), Number(to) + 1), range)
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    settings: { endpoint: `http://127.0.0.1:${port}`, bucket: BUCKET, ...KEY },
    objects,
    /** Error codes of the requests rejected for their signature. */
    refused,
    /** Answers the next `times` requests with 503. */
    fail(times: number) {
      failures = times
    },
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}
