// Uploads that are resumed, through the official client for tus.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import {
  createUpload,
  sendPart,
  startUpload,
  tusRequest,
  type TusSender,
} from '../testing/tus-client.ts'
import { aDevice, aMember, type Person } from './auth-people.ts'
import { openClient, type Client } from './storage-client.ts'

const sql = `
  insert into storage.buckets (id, name, public) values ('box', 'box', false);
  insert into storage.buckets (id, name, public, allowed_mime_types) values ('pdfs', 'pdfs', false, '{application/pdf}');
  create policy "members add" on storage.objects for insert to authenticated with check (bucket_id in ('box', 'pdfs'));
  create policy "members read their own" on storage.objects for select to authenticated using (owner_id = auth.uid()::text);
  create policy "members replace their own" on storage.objects for update to authenticated using (owner_id = auth.uid()::text);
`
const MIB = 1024 * 1024
let backend: TestBackend
let dataDir: string
let service: Client
let maya: Person
let sender: TusSender

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'resumable-'))
  backend = await startTestBackend({ sql, settings: { dataDir } })
  service = openClient(backend.url, backend.secretKey)
  maya = await aMember(backend)
  sender = await senderOf(maya.client)
})
afterAll(async () => {
  await backend.close()
  await rm(dataDir, { recursive: true, force: true })
})
afterEach(async () => {
  for (const bucket of ['box', 'pdfs']) await service.storage.emptyBucket(bucket)
})

async function senderOf(client: Person['client']): Promise<TusSender> {
  const { data } = await client.auth.getSession()
  return {
    url: backend.url,
    apikey: backend.publishableKey,
    token: data.session?.access_token ?? '',
  }
}
async function bytesAt(name: string): Promise<Buffer> {
  const { data } = await service.storage.from('box').download(name)
  return Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0))
}
/** Compared instead of millions of bytes. */
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const infoOf = async (name: string) => (await service.storage.from('box').info(name)).data
const named = (objectName: string, more = {}) => ({ bucketName: 'box', objectName, ...more })
const pdf = (length: number) => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(length - 9)])
const offsetOf = async (location: string, by = sender) =>
  (await tusRequest(by, 'HEAD', location)).headers.get('upload-offset')

async function filesOnDisk(): Promise<number> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile() && entry.name.length === 36).length
}

test('the official client sends a file in parts, and it is stored as any other', async () => {
  const before = await filesOnDisk()
  const bytes = pdf(15 * MIB + 7)
  const metadata = named('a/plan.pdf', {
    contentType: 'image/png',
    cacheControl: '600',
    metadata: JSON.stringify({ note: 'Año' }),
  })
  const chunks: number[] = []
  const { done } = startUpload(sender, bytes, metadata, {
    onChunkComplete: (size) => chunks.push(size),
  })
  await done
  expect(chunks).toEqual([6 * MIB, 6 * MIB, 3 * MIB + 7])
  expect(digest(await bytesAt('a/plan.pdf'))).toBe(digest(bytes))
  // The bytes decide about the type, whatever was declared.
  expect(await infoOf('a/plan.pdf')).toMatchObject({
    contentType: 'application/pdf',
    cacheControl: 'max-age=600',
    size: bytes.length,
    metadata: { note: 'Año' },
  })
  expect((await maya.client.storage.from('box').exists('a/plan.pdf')).data).toBe(true)
  expect(await filesOnDisk()).toBe(before + 1)
})

test('the first bytes may come with the creation, and an empty file needs none', async () => {
  const bytes = pdf(100_000)
  await startUpload(sender, bytes, named('at-once.pdf'), { uploadDataDuringCreation: true }).done
  expect(digest(await bytesAt('at-once.pdf'))).toBe(digest(bytes))
  await startUpload(sender, Buffer.alloc(0), named('empty.txt')).done
  expect(await infoOf('empty.txt')).toMatchObject({ size: 0 })
})

test('a client without PATCH sends POST', async () => {
  await startUpload(sender, pdf(1000), named('post.pdf'), { overridePatchMethod: true }).done
  expect(await infoOf('post.pdf')).toMatchObject({ size: 1000 })
})

test('what a client needs to know is said, and shown to browsers', async () => {
  const options = await fetch(`${backend.url}/storage/v1/upload/resumable`, { method: 'OPTIONS' })
  expect(Object.fromEntries(options.headers)).toMatchObject({
    'tus-version': '1.0.0',
    'tus-extension': 'creation,creation-with-upload,termination,expiration',
    'tus-max-size': '52428800',
    'access-control-allow-methods': expect.stringContaining('PATCH') as string,
  })
  const { status, headers } = await createUpload(sender, 10, named('known.txt'))
  expect(status).toBe(201)
  const location = headers.get('location') ?? ''
  const progress = await tusRequest(sender, 'HEAD', location)
  expect(Object.fromEntries(progress.headers)).toMatchObject({
    'tus-resumable': '1.0.0',
    'upload-offset': '0',
    'upload-length': '10',
    'upload-metadata': expect.stringContaining('bucketName Ym94') as string,
    'cache-control': 'no-store',
  })
  const shown = progress.headers.get('access-control-expose-headers') ?? ''
  for (const name of ['Location', 'Upload-Offset', 'Upload-Length', 'Upload-Expires'])
    expect(shown).toContain(name)
  const life = Date.parse(progress.headers.get('upload-expires') ?? '') - backend.clock.now()
  expect(Math.round(life / 3_600_000)).toBe(24)
  await tusRequest(sender, 'DELETE', location)
})

test('an upload goes on at another device of the same member, for nobody else', async () => {
  const bytes = pdf(14 * MIB)
  let hasBegun = () => {}
  const begun = new Promise<void>((resolve) => (hasBegun = resolve))
  const { upload } = startUpload(sender, bytes, named('moved.pdf'), { onChunkComplete: hasBegun })
  await begun
  await upload.abort()
  const uploadUrl = upload.url ?? ''
  const { pathname } = new URL(uploadUrl)

  const other = await senderOf((await aMember(backend)).client)
  for (const method of ['HEAD', 'PATCH', 'DELETE'])
    expect(await tusRequest(other, method, pathname)).toMatchObject({ status: 404 })
  const stranger = { url: backend.url, apikey: backend.publishableKey }
  expect((await sendPart(stranger, pathname, 6 * MIB, 'x')).status).toBe(404)

  const second = await senderOf(await aDevice(backend, maya.email))
  const sizes: number[] = []
  await startUpload(second, bytes, named('moved.pdf'), {
    uploadUrl,
    // The first device's last bytes may still arrive between this one's question and its first part.
    retryDelays: [0, 100, 1000],
    onChunkComplete: (size) => sizes.push(size),
  }).done
  expect(sizes[0]).toBeLessThan(14 * MIB)
  expect(digest(await bytesAt('moved.pdf'))).toBe(digest(bytes))
})

test('a client that did not get the last response finds the upload complete, and there is one file', async () => {
  const { headers } = await createUpload(sender, 5, named('lost.txt'))
  const location = headers.get('location') ?? ''
  expect((await sendPart(sender, location, 0, 'hello')).headers.get('tus-complete')).toBe('1')
  expect(await offsetOf(location)).toBe('5')
  expect((await sendPart(sender, location, 5, '')).status).toBe(204)
  expect((await sendPart(sender, location, 0, 'again')).status).toBe(409)
  expect((await tusRequest(sender, 'DELETE', location)).status).toBe(400)
  expect((await bytesAt('lost.txt')).toString()).toBe('hello')
})

test('a name that is taken is refused, unless it is to be replaced', async () => {
  const write = async (text: string, headers = {}) => {
    const created = await createUpload(sender, text.length, named('same.txt'), headers)
    if (created.status !== 201) return created.status
    return (await sendPart(sender, created.headers.get('location') ?? '', 0, text)).status
  }
  expect(await write('first')).toBe(204)
  expect(await write('second')).toBe(409)
  const before = await filesOnDisk()
  expect(await write('third', { 'x-upsert': 'true' })).toBe(204)
  expect((await bytesAt('same.txt')).toString()).toBe('third')
  expect(await filesOnDisk()).toBe(before)
})

test('a cancelled upload is gone with its bytes', async () => {
  const before = await filesOnDisk()
  const { headers } = await createUpload(sender, 10, named('cancelled.txt'))
  const location = headers.get('location') ?? ''
  await sendPart(sender, location, 0, 'hello')
  expect(await filesOnDisk()).toBe(before + 1)
  expect((await tusRequest(sender, 'DELETE', location)).status).toBe(204)
  expect(await filesOnDisk()).toBe(before)
  expect((await tusRequest(sender, 'HEAD', location)).status).toBe(404)
})

test('of bytes that the bucket does not take, nothing is kept', async () => {
  const before = await filesOnDisk()
  const upload = (bytes: Buffer, contentType: string) =>
    startUpload(sender, bytes, { bucketName: 'pdfs', objectName: 'x.pdf', contentType }).done
  await expect(upload(pdf(100), 'image/png')).rejects.toThrow('InvalidMimeType')
  await expect(upload(Buffer.from('<script>'), 'application/pdf')).rejects.toThrow(
    'InvalidMimeType',
  )
  await expect(upload(randomBytes(7 * MIB), 'application/pdf')).rejects.toThrow('InvalidMimeType')
  expect(await filesOnDisk()).toBe(before)
  const { rows } = await backend.database
    .asService('storage', 'inspection')
    .query({ text: "select from storage.resumable_uploads where bucket_id = 'pdfs'" })
  expect(rows).toEqual([])
  await upload(pdf(100), 'application/pdf')
})

test('a signed address begins one upload, with the rights of its signer', async () => {
  const { data } = await maya.client.storage.from('box').createSignedUploadUrl('signed.pdf')
  const anyone = { url: backend.url, apikey: backend.publishableKey }
  const bytes = pdf(7 * MIB)
  const send = (objectName: string) =>
    startUpload(anyone, bytes, named(objectName), {
      endpoint: `${backend.url}/storage/v1/upload/resumable/sign`,
      headers: { 'x-signature': data?.token ?? '' },
    }).done
  await expect(send('other.pdf')).rejects.toThrow('InvalidSignature')
  await send('signed.pdf')
  expect(digest(await bytesAt('signed.pdf'))).toBe(digest(bytes))
  expect((await maya.client.storage.from('box').exists('signed.pdf')).data).toBe(true)
  await expect(send('signed.pdf')).rejects.toThrow()
  await service.storage.from('box').remove(['signed.pdf'])
  await expect(send('signed.pdf')).rejects.toThrow('already been used')
})
