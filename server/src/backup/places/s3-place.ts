// Keeps backups in a bucket. An archive is uploaded in parts while it is written, so it needs no room on this machine, and appears in
// the bucket when the last part is there.
import { BackupError } from '../archive/errors.ts'
import { isBackupName, type NewBackup, type Place } from './place.ts'
import {
  createS3Requests,
  textsOf,
  type BackupBucket,
  type S3Requests,
  type StoreError,
} from './s3-requests.ts'

/** Ten thousand parts are allowed: 160 GB. */
const PART_BYTES = 16 * 1024 * 1024
/** What one request reads: a broken connection costs no more than that. */
const READ_BYTES = 16 * 1024 * 1024

export function createS3Place(bucket: BackupBucket): Place {
  const { prefix } = bucket
  const requests = createS3Requests(bucket)
  const address = `s3://${bucket.bucket}/${prefix}`
  return {
    description: address,
    addressOf: (name) => address + name,
    create: (name) => createUpload(requests, name),
    open: (name) => download(requests, name, address),
    async list() {
      const names: string[] = []
      let more: Record<string, string> = {}
      do {
        const query = { 'list-type': '2', prefix: `${prefix}backup-`, ...more }
        const xml = (await requests.send('GET', '', { query })).bytes.toString()
        names.push(...textsOf(xml, 'Key').map((key) => key.slice(prefix.length)))
        const [token] = textsOf(xml, 'NextContinuationToken')
        more = token ? { 'continuation-token': token } : {}
      } while (more['continuation-token'])
      return names.filter(isBackupName).sort()
    },
    async remove(name) {
      await requests.send('DELETE', name)
    },
  }
}

async function createUpload({ send }: S3Requests, name: string): Promise<NewBackup> {
  const started = await send('POST', name, { query: { uploads: '' } })
  const [uploadId] = textsOf(started.bytes.toString(), 'UploadId')
  if (!uploadId) throw new BackupError('The store of backups does not take uploads in parts.')
  const etags: string[] = []
  const buffer = Buffer.alloc(PART_BYTES)
  let filled = 0

  async function flush() {
    const query = { partNumber: String(etags.length + 1), uploadId: uploadId ?? '' }
    const response = await send('PUT', name, { query, body: buffer.subarray(0, filled) })
    etags.push(response.headers.get('etag') ?? '')
    filled = 0
  }

  return {
    async write(bytes) {
      for (let at = 0; at < bytes.length;) {
        const copied = bytes.copy(buffer, filled, at)
        filled += copied
        at += copied
        if (filled === PART_BYTES) await flush()
      }
    },
    async finish() {
      if (filled > 0) await flush()
      const parts = etags.map(
        (etag, index) =>
          `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag.replaceAll('"', '&quot;')}</ETag></Part>`,
      )
      const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
      const response = await send('POST', name, { query: { uploadId }, body })
      // S3 may respond with 200 and report a failure in the body.
      if (response.bytes.includes('<Error>'))
        throw new BackupError('The store of backups could not put the parts together.')
    },
    async discard() {
      await send('DELETE', name, { query: { uploadId }, isCleaning: true }).catch(() => undefined)
    },
  }
}

async function* download({ send }: S3Requests, name: string, address: string) {
  const head = await send('HEAD', name).catch((error: StoreError) => {
    if (error.status !== 404) throw error
    throw new BackupError(`There is no backup ${address}${name}.`)
  })
  const size = Number(head.headers.get('content-length'))
  for (let start = 0; start < size; start += READ_BYTES) {
    const range = { start, end: Math.min(start + READ_BYTES, size) - 1 }
    yield (await send('GET', name, { range })).bytes
  }
}
