import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { openClient, type Client } from './storage-client.ts'

let backend: TestBackend
let service: Client
let anyone: Client

beforeAll(async () => {
  backend = await startTestBackend()
  service = openClient(backend.url, backend.secretKey)
  anyone = openClient(backend.url, backend.publishableKey)
  await service.storage.createBucket('papers', { public: false, allowedMimeTypes: ['text/plain'] })
  await papers().upload('plan.txt', 'the plan')
  await papers().upload('salary.txt', 'the salaries')
})
afterAll(() => backend.close())

const papers = () => service.storage.from('papers')
async function signed(name = 'plan.txt', seconds = 60): Promise<string> {
  const { data, error } = await papers().createSignedUrl(name, seconds)
  expect(error).toBeNull()
  return data!.signedUrl
}

test('a signed URL works without a key until it expires', async () => {
  const address = await signed()
  const response = await fetch(address)
  expect(await response.text()).toBe('the plan')
  expect(response.headers.get('cache-control')).toMatch(/^private, max-age=(59|60)$/)
  backend.clock.advance(61_000)
  const late = await fetch(address)
  expect(late.status).toBe(400)
  expect(await late.json()).toMatchObject({ code: 'ExpiredToken' })
})

test('one request signs many, each with its own result', async () => {
  const { data } = await papers().createSignedUrls(['plan.txt', 'none.txt'], 60)
  expect(data?.map(({ path, error }) => [path, error === null])).toEqual([
    ['plan.txt', true],
    ['none.txt', false],
  ])
  expect(await (await fetch(data![0]!.signedUrl!)).text()).toBe('the plan')
})

test('a download file name can be requested', async () => {
  const { data } = await papers().createSignedUrl('plan.txt', 60, { download: 'plan for May.txt' })
  expect(data!.signedUrl).toContain('&download=')
  const response = await fetch(
    `${await signed()}&download=${encodeURIComponent('Our "plan"\r\n.txt')}`,
  )
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="Our _plan___.txt"; filename*=UTF-8''Our%20%22plan%22%0D%0A.txt`,
  )
})

test('a signed URL with a transformation is refused as not supported', async () => {
  const { error } = await papers().createSignedUrl('plan.txt', 60, { transform: { width: 10 } })
  expect(error).toMatchObject({ status: 501, code: 'NotSupported' })
})

test('what has to do with versions of objects is refused as not supported', async () => {
  const versionId = '1'
  const asked = [
    papers().createSignedUrl('plan.txt', 60, { versionId }),
    papers().download('plan.txt', { versionId }),
    papers().info('plan.txt', { versionId }),
    papers().copy('plan.txt', 'copy.txt', { sourceVersionId: versionId }),
    papers().move('plan.txt', 'moved.txt', { sourceVersionId: versionId }),
    papers().remove([{ path: 'plan.txt', versionId }]),
    papers().list('', { noncurrentVersions: 'include' }),
    papers().listV2({ deleteMarkers: 'only' }),
    service.storage.createBucket('kept', { public: false, versioningStatus: 'ENABLED' }),
    service.storage.createBucket('tables', { public: false, type: 'ANALYTICS' as never }),
  ]
  for (const { error } of await Promise.all(asked))
    expect(error).toMatchObject({ status: 501, code: 'NotSupported' })
  expect((await papers().list('', { noncurrentVersions: 'exclude' })).error).toBeNull()
})

test('the token of one object does not work for another', async () => {
  const token = new URL(await signed()).searchParams.get('token')
  const other = await fetch(
    `${backend.url}/storage/v1/object/sign/papers/salary.txt?token=${token}`,
  )
  expect(other.status).toBe(400)
  expect(await other.json()).toMatchObject({ code: 'InvalidSignature' })
})

test('tampered, foreign and missing tokens are rejected', async () => {
  const address = new URL(await signed())
  const token = address.searchParams.get('token')!
  const [, payload] = token.split('.')
  const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${payload}.`
  for (const forged of ['', 'x', token.slice(0, -3) + 'AAA', unsigned]) {
    address.searchParams.set('token', forged)
    const response = await fetch(address)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'InvalidJWT' })
  }
})

test('signed URL tokens and access tokens are not interchangeable', async () => {
  const token = new URL(await signed()).searchParams.get('token')!
  const response = await fetch(`${backend.url}/storage/v1/bucket`, {
    headers: { apikey: backend.publishableKey, authorization: `Bearer ${token}` },
  })
  expect(response.status).toBe(403)
  const access = await backend.tokens.sign({
    role: 'service_role',
    url: 'papers/plan.txt',
    exp: Math.floor(backend.clock.now() / 1000) + 60,
  })
  const asSignature = await fetch(
    `${backend.url}/storage/v1/object/sign/papers/plan.txt?token=${access}`,
  )
  expect(asSignature.status).toBe(400)
})

test('a signed URL stops working when its object is deleted', async () => {
  await papers().upload('short.txt', 'x')
  const address = await signed('short.txt')
  await papers().remove(['short.txt'])
  expect((await fetch(address)).status).toBe(404)
})

test('an upload can be signed for a client without an account, once', async () => {
  const { data } = await papers().createSignedUploadUrl('in/report.txt')
  const upload = () =>
    anyone.storage.from('papers').uploadToSignedUrl('in/report.txt', data!.token, 'done')
  expect((await upload()).data).toMatchObject({
    path: 'in/report.txt',
    fullPath: 'papers/in/report.txt',
  })
  expect((await upload()).error).toMatchObject({ code: 'InvalidSignature' })
  const again = await papers().createSignedUploadUrl('in/report.txt', { upsert: true })
  const replaced = await anyone.storage
    .from('papers')
    .uploadToSignedUrl('in/report.txt', again.data!.token, new Blob(['better']))
  expect(replaced.error).toBeNull()
  expect(await (await papers().download('in/report.txt')).data?.text()).toBe('better')
})

test('a signed upload is bound to its name, its expiry and the bucket’s rules', async () => {
  const { data } = await papers().createSignedUploadUrl('in/a.txt')
  const { token } = data!
  const inbox = anyone.storage.from('papers')
  expect((await inbox.uploadToSignedUrl('in/b.txt', token, 'x')).error).toMatchObject({
    code: 'InvalidSignature',
  })
  expect(
    (await inbox.uploadToSignedUrl('in/a.txt', token, '<svg onload="x()">')).error,
  ).toMatchObject({
    code: 'InvalidMimeType',
  })
  const read = new URL(await signed()).searchParams.get('token')!
  expect((await inbox.uploadToSignedUrl('plan.txt', read, 'x')).error).toMatchObject({
    code: 'InvalidSignature',
  })
  backend.clock.advance(15 * 60 * 1000 + 1000)
  expect((await inbox.uploadToSignedUrl('in/a.txt', token, 'x')).error).toMatchObject({
    code: 'ExpiredToken',
  })
})

test('a member who may not upload cannot sign an upload', async () => {
  const { error } = await anyone.storage.from('papers').createSignedUploadUrl('x.txt')
  expect(error).toMatchObject({ code: 'AccessDenied' })
})
