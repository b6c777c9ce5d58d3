import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { aMember, aServer, type Person } from './auth-people.ts'
import { openClient, type Client } from './storage-client.ts'

const sql = `
  insert into storage.buckets (id, name, public) values ('club', 'club', false);
  create table public.club_members (id uuid primary key);
  grant select on public.club_members to authenticated;
  create policy "members of the club read" on storage.objects for select to authenticated
    using (bucket_id = 'club' and auth.uid() in (select id from public.club_members));
  create policy "members of the club add" on storage.objects for insert to authenticated
    with check (bucket_id = 'club' and auth.uid() in (select id from public.club_members));
  create policy "members of the club replace" on storage.objects for update to authenticated
    using (bucket_id = 'club' and owner_id = auth.uid()::text);
`
let backend: TestBackend
let service: Client
let anyone: Client
let maya: Person
let name: string

beforeAll(async () => {
  backend = await startTestBackend({ sql })
  service = openClient(backend.url, backend.secretKey)
  anyone = openClient(backend.url, backend.publishableKey)
})
afterAll(() => backend.close())
beforeEach(async () => {
  maya = await aMember(backend)
  await arrange('insert into public.club_members values ($1)', [maya.id])
  name = `${randomUUID()}.txt`
  await service.storage.from('club').upload(name, 'the plan')
})

const arrange = (text: string, values: unknown[]) =>
  backend.database.transactionAs(
    { role: 'service_role', claimsText: '{"role":"service_role"}' },
    (query) => query({ text, values }),
  )
const leaveTheClub = () => arrange('delete from public.club_members where id = $1', [maya.id])
const club = () => maya.client.storage.from('club')
const uploadWith = (token: string, to = `new-${name}`) =>
  anyone.storage.from('club').uploadToSignedUrl(to, token, 'hello')

async function signedAddress(): Promise<string> {
  const { data, error } = await club().createSignedUrl(name, 3600)
  expect(error).toBeNull()
  expect((await fetch(data!.signedUrl)).status).toBe(200)
  return data!.signedUrl
}
async function uploadToken(options?: { upsert: boolean }): Promise<string> {
  const { data, error } = await club().createSignedUploadUrl(`new-${name}`, options)
  expect(error).toBeNull()
  return data!.token
}

/** Ways to lose all rights, with the resulting status of a signed URL. */
const ENDINGS: [how: string, end: () => Promise<unknown>, status: number][] = [
  ['was removed from the club', () => leaveTheClub(), 404],
  ['was deleted', () => aServer(backend).auth.admin.deleteUser(maya.id), 403],
  [
    'was banned',
    () => aServer(backend).auth.admin.updateUserById(maya.id, { ban_duration: '24h' }),
    403,
  ],
  ['signed out', () => maya.client.auth.signOut({ scope: 'local' }), 403],
]

describe('a signed URL does not outlive its signer’s rights', () => {
  test.each(ENDINGS)('reading: the signer %s', async (_how, end, status) => {
    const address = await signedAddress()
    await end()
    expect((await fetch(address)).status).toBe(status)
    expect((await fetch(address, { headers: { 'if-none-match': '*' } })).status).toBe(status)
    expect((await fetch(address, { method: 'HEAD' })).status).toBe(status)
  })

  test.each(ENDINGS)('uploading: the signer %s', async (_how, end) => {
    const token = await uploadToken()
    await end()
    expect((await uploadWith(token)).error).toMatchObject({ code: 'AccessDenied' })
    expect((await service.storage.from('club').exists(`new-${name}`)).data).toBe(false)
  })

  test('a signed URL is valid for at most a day, and its response is cached for five minutes', async () => {
    const tooLong = await club().createSignedUrl(name, 24 * 60 * 60 + 1)
    expect(tooLong.error).toMatchObject({ code: 'InvalidRequest' })
    const many = await club().createSignedUrls([name], 24 * 60 * 60 + 1)
    expect(many.error).toMatchObject({ code: 'InvalidRequest' })
    const response = await fetch(await signedAddress())
    expect(response.headers.get('cache-control')).toBe('private, max-age=300')
  })

  test('a browser’s cache does not show one account’s private files to the next', async () => {
    const { data } = await maya.client.auth.getSession()
    const response = await fetch(`${backend.url}/storage/v1/object/club/${name}`, {
      headers: {
        apikey: backend.publishableKey,
        authorization: `Bearer ${data.session!.access_token}`,
      },
    })
    expect(response.headers.get('vary')).toContain('authorization')
  })
})

describe('a signed upload', () => {
  test('is owned by its signer', async () => {
    expect((await uploadWith(await uploadToken())).error).toBeNull()
    const { rows } = await arrange('select owner_id from storage.objects where name = $1', [
      `new-${name}`,
    ])
    expect(rows).toEqual([{ owner_id: maya.id }])
  })

  test('works once, even with upsert', async () => {
    const token = await uploadToken({ upsert: true })
    expect((await uploadWith(token)).error).toBeNull()
    expect((await uploadWith(token)).error).toMatchObject({ code: 'InvalidSignature' })
    await service.storage.from('club').remove([`new-${name}`])
    expect((await uploadWith(token)).error).toMatchObject({ code: 'InvalidSignature' })
  })

  test('works once even when concurrent', async () => {
    const token = await uploadToken({ upsert: true })
    const all = await Promise.all(Array.from({ length: 5 }, () => uploadWith(token)))
    expect(all.filter(({ error }) => error === null)).toHaveLength(1)
  })

  test('can be retried after a failure', async () => {
    const token = await uploadToken()
    await leaveTheClub()
    expect((await uploadWith(token)).error).toMatchObject({ code: 'AccessDenied' })
    await arrange('insert into public.club_members values ($1)', [maya.id])
    expect((await uploadWith(token)).error).toBeNull()
  })
})
