// An in-memory S3 service on loopback that verifies every signature.
import { createHash } from 'node:crypto'
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
  /** Uploads in parts that were neither completed nor aborted. */
  const uploads = new Map<string, Map<number, Buffer>>()
  let failures = 0
  let answers = Infinity

  async function handle(request: IncomingMessage, response: ServerResponse) {
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
    const { pathname, searchParams: query } = new URL(url, 'http://localhost')
    if (pathname === `/${BUCKET}`) return respond(200, listOf(query))
    if (!pathname.startsWith(`/${BUCKET}/`))
      return respond(404, '<Error><Code>NoSuchBucket</Code></Error>')
    const key = decodeURIComponent(pathname.slice(BUCKET.length + 2))
    if (answers-- <= 0) return cutOff(method === 'GET' ? objects.get(key) : undefined, response)
    const missing = () => respond(404, '<Error><Code>NoSuchKey</Code></Error>')

    if (query.has('uploads')) {
      const id = `upload-${uploads.size + 1}`
      uploads.set(id, new Map())
      return respond(
        200,
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      )
    }
    const id = query.get('uploadId')
    if (id !== null) {
      const parts = uploads.get(id)
      if (!parts) return respond(404, '<Error><Code>NoSuchUpload</Code></Error>')
      if (method === 'PUT') {
        parts.set(Number(query.get('partNumber')), body)
        return respond(200, '', { etag: `"${etagOf(body)}"` })
      }
      uploads.delete(id)
      if (method === 'DELETE') return respond(204)
      const wanted = [
        ...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>&quot;(\w+)&quot;/g),
      ]
      const found = wanted.map(([, number, etag]) => {
        const part = parts.get(Number(number))
        return part && etagOf(part) === etag ? part : null
      })
      if (found.includes(null)) return respond(400, '<Error><Code>InvalidPart</Code></Error>')
      objects.set(key, Buffer.concat(found as Buffer[]))
      return respond(200, '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>')
    }
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
    if (!from) return respond(200, bytes, { 'content-length': bytes.length })
    const range = { 'content-range': `bytes ${from}-${to}/${bytes.length}` }
    return respond(206, bytes.subarray(Number(from), Number(to) + 1), range)
  }

  /** Two at a time, so that a caller has to ask again. */
  function listOf(query: URLSearchParams): string {
    const after = query.get('continuation-token') ?? ''
    const keys = [...objects.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
      .sort()
    const page = keys.slice(0, 2)
    const more = keys.length > 2 ? `<NextContinuationToken>${page[1]}</NextContinuationToken>` : ''
    const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`)
    return `<ListBucketResult>${contents.join('')}${more}</ListBucketResult>`
  }

  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    settings: { endpoint: `http://127.0.0.1:${port}`, bucket: BUCKET, ...KEY },
    objects,
    uploads,
    /** Error codes of the requests rejected for their signature. */
    refused,
    /** Responds to the next `times` requests with 503. */
    fail(times: number) {
      failures = times
    },
    /** Answers `times` more requests for objects; every connection after them is cut off, a download's in the middle of its bytes. */
    goAwayAfter(times: number) {
      answers = times
    },
    comeBack() {
      answers = Infinity
    },
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}

function cutOff(bytes: Buffer | undefined, response: ServerResponse) {
  if (!bytes) return response.destroy()
  response.writeHead(200, { 'content-length': bytes.length })
  return response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
}

const etagOf = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex')
