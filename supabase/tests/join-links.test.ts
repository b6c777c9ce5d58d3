import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from 'backend/testing/start-test-backend.ts'

let backend: TestBackend
let owner: pg.Client
let dana: string
let maya: string

beforeAll(async () => {
  backend = await startTestBackend({ migrations: 'product' })
  owner = new pg.Client({ connectionString: backend.superuserUrl })
  await owner.connect()
  // The first member of a team is its admin.
  dana = await aMember()
  maya = await aMember()
})

afterAll(async () => {
  await owner?.end()
  await backend?.close()
})

async function aMember(): Promise<string> {
  const id = randomUUID()
  await owner.query(
    `insert into auth.users (id, email, email_confirmed_at, created_at) values ($1, $2, now(), now())`,
    [id, `${id}@example.com`],
  )
  return id
}

async function as<Row>(id: string, text: string, values: unknown[] = []) {
  const role = id === 'anon' ? 'anon' : 'authenticated'
  const claimsText = JSON.stringify(id === 'anon' ? { role } : { role, sub: id })
  const answer = await backend.database.runAs({ role, claimsText }, { text, values })
  return answer.rows as Row[]
}

type Link = { token: string; created_by: string }
const MAKE = `insert into public.join_links (expires_at) values (now() + $1::interval) returning token, created_by`

async function isOpen(token: string) {
  const [row] = await as<{ open: boolean }>('anon', 'select public.join_link_is_open($1) as open', [
    token,
  ])
  return row?.open
}

test('an admin creates an invitation, and anybody with the link sees that it is open', async () => {
  const [link] = await as<Link>(dana, MAKE, ['7 days'])
  expect(link?.created_by).toBe(dana)
  expect(await isOpen(link!.token)).toBe(true)
})

test('an expired, revoked or made-up invitation is not open', async () => {
  const [expired] = await as<Link>(dana, MAKE, ['-1 minute'])
  const [takenBack] = await as<Link>(dana, MAKE, ['7 days'])
  await as(dana, 'delete from public.join_links where token = $1', [takenBack!.token])
  expect(await isOpen(expired!.token)).toBe(false)
  expect(await isOpen(takenBack!.token)).toBe(false)
  expect(await isOpen('guess')).toBe(false)
})

test('an invitation lasts at most 90 days', async () => {
  await expect(as(dana, MAKE, ['91 days'])).rejects.toMatchObject({ code: '23514' })
})

test('a member who is not an admin cannot create, read or revoke invitations', async () => {
  await as(dana, MAKE, ['7 days'])
  await expect(as(maya, MAKE, ['7 days'])).rejects.toMatchObject({ code: '42501' })
  expect(await as(maya, 'select token from public.join_links')).toEqual([])
  expect(await as(maya, 'delete from public.join_links returning token')).toEqual([])
})

test('anonymous callers cannot read or create invitations', async () => {
  for (const text of ['select token from public.join_links', 'delete from public.join_links']) {
    await expect(as('anon', text)).rejects.toMatchObject({ code: '42501' })
  }
  await expect(as('anon', MAKE, ['7 days'])).rejects.toMatchObject({ code: '42501' })
})
