// Limits of the storage service (docs/limits.md).
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '../src/storage/limits.ts'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { openClient, type Client } from './storage-client.ts'

const sql = `
  insert into storage.buckets (id, name, public) values ('box', 'box', false);
  create policy "anyone drops" on storage.objects for insert to anon with check (bucket_id = 'box');
`
let backend: TestBackend
let service: Client
let anyone: Client
let free = Infinity

beforeAll(async () => {
  backend = await startTestBackend({
    sql,
    settings: { freeBytes: () => Promise.resolve(free) },
  })
  service = openClient(backend.url, backend.secretKey)
  anyone = openClient(backend.url, backend.publishableKey)
})
afterAll(() => backend.close())
afterEach(() => {
  free = Infinity
})

const names = (count: number) => Array.from({ length: count }, (_, index) => `${index}.txt`)

async function post(path: string, body: string | FormData, headers: Record<string, string> = {}) {
  const response = await fetch(`${backend.url}/storage/v1/${path}`, {
    method: 'POST',
    headers: { apikey: backend.secretKey, ...headers },
    body,
  })
  return { status: response.status, ...((await response.json()) as { code?: string }) }
}

function aForm(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append('', new Blob(['x']), 'x.txt')
  return form
}

test('the size of a file is limited by the installation', async () => {
  const length = String(LIMITS.fileBytes + 1)
  const status = new Promise<number>((resolve, reject) => {
    const sent = httpRequest(
      `${backend.url}/storage/v1/object/box/huge.txt`,
      { method: 'POST', headers: { apikey: backend.secretKey, 'content-length': length } },
      ({ statusCode }) => {
        resolve(statusCode ?? 0)
        sent.destroy()
      },
    )
    sent.on('error', reject)
    sent.write('x')
  })
  expect(await status).toBe(413)
})

test('the number of objects to sign or delete per request is limited', async () => {
  const { pathsPerRequest } = LIMITS
  const box = service.storage.from('box')
  expect((await box.createSignedUrls(names(pathsPerRequest), 60)).error).toBeNull()
  expect((await box.createSignedUrls(names(pathsPerRequest + 1), 60)).error).toMatchObject({
    code: 'InvalidRequest',
  })
  expect((await box.remove(names(pathsPerRequest))).error).toBeNull()
  expect((await box.remove(names(pathsPerRequest + 1))).error).toMatchObject({
    code: 'InvalidRequest',
  })
})

test('the page size and prefix length of a list are limited', async () => {
  const limit = LIMITS.listRows + 1
  const prefix = 'x'.repeat(LIMITS.nameLength + 1)
  for (const path of ['object/list/box', 'object/list-v2/box']) {
    for (const body of [{ prefix: '', limit }, { prefix }])
      expect(await post(path, JSON.stringify(body))).toMatchObject({ status: 400 })
  }
})

test('the length of a name is limited', async () => {
  const box = service.storage.from('box')
  expect((await box.upload('x'.repeat(LIMITS.nameLength), 'x')).error).toBeNull()
  expect((await box.upload('x'.repeat(LIMITS.nameLength + 1), 'x')).error).toMatchObject({
    code: 'InvalidKey',
  })
})

test('the size of a JSON request is limited', async () => {
  const body = JSON.stringify({ prefix: 'x'.repeat(LIMITS.jsonBytes) })
  expect(await post('object/list/box', body)).toMatchObject({ status: 413, code: 'EntityTooLarge' })
})

test('the number and size of form fields are limited', async () => {
  const many = Object.fromEntries(names(LIMITS.formFields + 1).map((name) => [name, 'x']))
  expect(await post('object/box/many.txt', aForm(many))).toMatchObject({
    status: 400,
    message: 'The form is too large',
  })
  const metadata = JSON.stringify({ note: 'x'.repeat(LIMITS.metadataBytes) })
  expect(await post('object/box/large.txt', aForm({ metadata }))).toMatchObject({ status: 400 })
  expect(await post('object/box/right.txt', aForm({ metadata: '{"note":"x"}' }))).toMatchObject({
    status: 200,
  })
})

test('when the disk is nearly full, uploads are rejected and everything else works', async () => {
  free = LIMITS.freeDiskBytes - 1
  expect((await anyone.storage.from('box').upload('full.txt', 'x')).error).toMatchObject({
    status: 507,
    code: 'InsufficientStorage',
  })
  expect((await service.storage.from('box').list()).error).toBeNull()
  free = LIMITS.freeDiskBytes
  expect((await anyone.storage.from('box').upload('full.txt', 'x')).error).toBeNull()
})

test('concurrent uploads are limited per caller; others are unaffected', async () => {
  const begun = names(LIMITS.uploadsPerCaller + 1).map((name) => beginUpload(`slow-${name}`))
  // All but one hold their slots, since none of them ends.
  const [refused] = (await Promise.any(begun.map((upload) => once(upload, 'response')))) as [
    IncomingMessage,
  ]
  expect(refused.statusCode).toBe(429)
  expect((await service.storage.from('box').upload('other.txt', 'x')).error).toBeNull()
  for (const upload of begun) upload.destroy()
  await expect.poll(() => refusalOfUpload()).toBeUndefined()
})

let tries = 0
async function refusalOfUpload(): Promise<string | undefined> {
  const { error } = await anyone.storage.from('box').upload(`after-${++tries}.txt`, 'x')
  return (error as { code?: string } | null)?.code
}

/** An upload that starts and does not finish. */
function beginUpload(name: string) {
  const upload = httpRequest(`${backend.url}/storage/v1/object/box/${name}`, {
    method: 'POST',
    headers: {
      apikey: backend.publishableKey,
      'content-type': 'text/plain',
      'content-length': '100',
    },
  })
  upload.on('error', () => undefined)
  upload.write('begun')
  return upload
}
