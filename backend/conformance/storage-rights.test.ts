import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { openClient, type Client } from './storage-client.ts'

// Policies as in Supabase's documentation: each member has a folder named after their id.
const sql = `
  insert into storage.buckets (id, name, public) values ('papers', 'papers', false), ('dropbox', 'dropbox', false);
  create policy "members read their folder" on storage.objects for select to authenticated
    using (bucket_id = 'papers' and (storage.foldername(name))[1] = (select auth.jwt() ->> 'sub'));
  create policy "members add to their folder" on storage.objects for insert to authenticated
    with check (bucket_id = 'papers' and (storage.foldername(name))[1] = (select auth.jwt() ->> 'sub'));
  create policy "members change their folder" on storage.objects for update to authenticated
    using (bucket_id = 'papers' and (storage.foldername(name))[1] = (select auth.jwt() ->> 'sub'));
  create policy "members clear their folder" on storage.objects for delete to authenticated
    using (bucket_id = 'papers' and (storage.foldername(name))[1] = (select auth.jwt() ->> 'sub')
      and storage.allow_any_operation(array['object.delete_many']));
  create policy "anyone drops small things" on storage.objects for insert to anon, authenticated
    with check (bucket_id = 'dropbox' and (metadata ->> 'size')::int < 1000);
`
const MAYA = '00000000-0000-4000-8000-00000000000a'
const THEO = '00000000-0000-4000-8000-00000000000b'
const someText: unknown = expect.any(String)
let backend: TestBackend
let mayaToken: string
let maya: Client
let theo: Client
let anyone: Client
let service: Client

beforeAll(async () => {
  backend = await startTestBackend({ sql })
  mayaToken = await tokenOf(MAYA)
  maya = openClient(backend.url, backend.publishableKey, mayaToken)
  theo = openClient(backend.url, backend.publishableKey, await tokenOf(THEO))
  anyone = openClient(backend.url, backend.publishableKey)
  service = openClient(backend.url, backend.secretKey)
  const { error } = await maya.storage.from('papers').upload(`${MAYA}/plan.txt`, 'my plan')
  expect(error).toBeNull()
})
afterAll(() => backend.close())

describe('policies on storage.objects', () => {
  test('a member works in the folder the policy grants', async () => {
    const papers = maya.storage.from('papers')
    expect((await papers.upload(`${MAYA}/a.txt`, '1')).error).toBeNull()
    expect((await papers.update(`${MAYA}/a.txt`, '2')).error).toBeNull()
    expect(await (await papers.download(`${MAYA}/a.txt`)).data?.text()).toBe('2')
    expect((await papers.copy(`${MAYA}/a.txt`, `${MAYA}/b.txt`)).error).toBeNull()
    expect((await papers.move(`${MAYA}/b.txt`, `${MAYA}/c.txt`)).error).toBeNull()
    expect((await papers.remove([`${MAYA}/a.txt`, `${MAYA}/c.txt`])).data).toHaveLength(2)
  })

  test('another member sees nothing of it', async () => {
    const papers = theo.storage.from('papers')
    const name = `${MAYA}/plan.txt`
    expect((await papers.download(name)).error).toMatchObject({ status: 404 })
    expect((await papers.exists(name)).data).toBe(false)
    expect((await papers.list(MAYA)).data).toEqual([])
    expect((await papers.listV2({ prefix: MAYA })).data?.objects).toEqual([])
    expect((await papers.createSignedUrl(name, 60)).error).toMatchObject({ code: 'NoSuchKey' })
    const many = await papers.createSignedUrls([name], 60)
    expect(many.data?.[0]).toMatchObject({ signedUrl: null, error: someText })
    expect((await papers.copy(name, `${THEO}/stolen.txt`)).error).toMatchObject({ status: 404 })
    expect((await papers.move(name, `${THEO}/stolen.txt`)).error).toMatchObject({ status: 404 })
    expect((await papers.remove([name])).data).toEqual([])
    expect(await (await maya.storage.from('papers').download(name)).data?.text()).toBe('my plan')
  })

  test('another member cannot write to it', async () => {
    const papers = theo.storage.from('papers')
    const refused = { code: 'AccessDenied', statusCode: '403' }
    expect((await papers.upload(`${MAYA}/x.txt`, 'x')).error).toMatchObject(refused)
    expect((await papers.update(`${MAYA}/plan.txt`, 'x')).error).toMatchObject(refused)
    expect((await papers.createSignedUploadUrl(`${MAYA}/x.txt`)).error).toMatchObject(refused)
    await papers.upload(`${THEO}/mine.txt`, 'x')
    expect((await papers.move(`${THEO}/mine.txt`, `${MAYA}/x.txt`)).error).toMatchObject(refused)
    expect((await papers.copy(`${THEO}/mine.txt`, `${MAYA}/x.txt`)).error).toMatchObject(refused)
  })

  test('an anonymous caller sees nothing in a private bucket', async () => {
    const papers = anyone.storage.from('papers')
    expect((await papers.download(`${MAYA}/plan.txt`)).error).toMatchObject({ status: 404 })
    expect((await papers.list()).data).toEqual([])
    expect((await papers.upload('x.txt', 'x')).error).toMatchObject({ status: 403 })
    const { publicUrl } = papers.getPublicUrl(`${MAYA}/plan.txt`).data
    const response = await fetch(publicUrl)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ message: 'Bucket not found' })
  })

  test('a member who may insert but not read can upload, and policies see the metadata', async () => {
    const dropbox = anyone.storage.from('dropbox')
    expect((await dropbox.upload('note.txt', 'small')).error).toBeNull()
    expect((await dropbox.download('note.txt')).error).toMatchObject({ status: 404 })
    expect((await dropbox.upload('big.txt', 'x'.repeat(2000))).error).toMatchObject({ status: 403 })
  })

  test('a policy can allow one operation and deny another', async () => {
    const headers = { apikey: backend.publishableKey, authorization: `Bearer ${mayaToken}` }
    const address = `${backend.url}/storage/v1/object/papers/${MAYA}/plan.txt`
    const response = await fetch(address, { method: 'DELETE', headers })
    expect(response.status).toBe(404)
    expect((await maya.storage.from('papers').exists(`${MAYA}/plan.txt`)).data).toBe(true)
  })

  test('rows cannot be deleted bypassing the service, which would orphan their files', async () => {
    const deleting = backend.database.transactionAs(
      { role: 'service_role', claimsText: '{"role":"service_role"}' },
      (query) => query({ text: 'delete from storage.objects' }),
    )
    await expect(deleting).rejects.toThrow('Direct deletion from storage tables is not allowed')
  })
})

describe('buckets', () => {
  test('members cannot see or change buckets without a policy', async () => {
    expect((await maya.storage.listBuckets()).data).toEqual([])
    expect((await maya.storage.getBucket('papers')).error).toMatchObject({ status: 404 })
    expect((await maya.storage.createBucket('mine')).error).toMatchObject({ status: 403 })
    expect((await maya.storage.updateBucket('papers', { public: true })).error).toMatchObject({
      status: 404,
    })
    expect((await maya.storage.emptyBucket('papers')).error).toMatchObject({ status: 404 })
    expect((await maya.storage.deleteBucket('papers')).error).toMatchObject({ status: 404 })
  })

  test('the secret key manages them', async () => {
    const { storage } = service
    const rules = { public: true, fileSizeLimit: '1mb', allowedMimeTypes: ['image/png'] }
    expect((await storage.createBucket('pictures', rules)).data).toEqual({ name: 'pictures' })
    expect((await storage.createBucket('pictures')).error).toMatchObject({ statusCode: '409' })
    expect((await storage.getBucket('pictures')).data).toMatchObject({
      id: 'pictures',
      public: true,
      file_size_limit: 1_000_000,
      allowed_mime_types: ['image/png'],
    })
    const changed = { public: false, fileSizeLimit: null, allowedMimeTypes: null }
    expect((await storage.updateBucket('pictures', changed)).error).toBeNull()
    expect((await storage.getBucket('pictures')).data).toMatchObject({
      public: false,
      file_size_limit: null,
    })
    expect((await storage.listBuckets({ search: 'pict' })).data?.map(({ id }) => id)).toEqual([
      'pictures',
    ])
    expect(
      (await storage.listBuckets({ limit: 1, sortColumn: 'name', sortOrder: 'desc' })).data,
    ).toHaveLength(1)
    await storage.from('pictures').upload('a/b.txt', 'x')
    expect((await storage.deleteBucket('pictures')).error).toMatchObject({
      code: 'ResourceNotEmpty',
    })
    expect((await storage.emptyBucket('pictures')).error).toBeNull()
    expect((await storage.from('pictures').list()).data).toEqual([])
    expect((await storage.deleteBucket('pictures')).error).toBeNull()
    expect((await storage.getBucket('pictures')).error).toMatchObject({
      message: 'Bucket not found',
    })
  })
})

function tokenOf(sub: string): Promise<string> {
  const exp = Math.floor(Date.now() / 1000) + 36_000
  return backend.tokens.sign({ sub, role: 'authenticated', exp })
}
