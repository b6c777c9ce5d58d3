// The first members of a new installation.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createClient } from '@supabase/supabase-js'
import { WebSocket } from 'ws'
import { startTestBackend, type TestBackend } from 'backend/testing/start-test-backend.ts'
import { anAccount, OPEN_TO_EVERYBODY } from './team.ts'

type MemberRow = { id: string; first_name: string; role: string; email: string | null }

describe('a fresh installation that is open to everybody', () => {
  let backend: TestBackend
  let owner: pg.Client
  beforeEach(async () => {
    backend = await startTestBackend({ migrations: 'product' })
    owner = new pg.Client({ connectionString: backend.superuserUrl })
    await owner.connect()
    await owner.query(OPEN_TO_EVERYBODY)
  })
  afterEach(async () => {
    await owner.end()
    await backend.close()
  })

  const signUp = async (email: string, data: object = {}) => {
    const client = createClient(backend.url, backend.publishableKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: WebSocket as never },
    })
    const { data: signedUp, error } = await client.auth.signUp({
      email,
      password: 'secret-1',
      options: { data },
    })
    if (error) throw error
    return { client, id: signedUp.user?.id ?? '', email }
  }
  const confirm = (email: string) =>
    owner.query('update auth.users set email_confirmed_at = now() where email = $1', [email])
  const members = async () =>
    (await owner.query<MemberRow>('select * from private.members order by created_at')).rows

  test('has exactly one mandatory chat and no member', async () => {
    const { rows } = await owner.query('select name, type from public.chats')
    expect(rows).toEqual([{ name: 'Rally Chat', type: 'mandatory' }])
    expect(await members()).toEqual([])
  })

  test('a sign-up joins the team when its e-mail is confirmed, not before', async () => {
    const { client, id, email } = await signUp('ann@example.com', {
      first_name: 'Ann',
      last_name: 'Lee',
    })
    expect(await members()).toEqual([])
    expect((await client.rpc('email_confirmed', { user_id: id })).data).toBe(false)
    await confirm(email)
    expect(await members()).toMatchObject([{ id, first_name: 'Ann', last_name: 'Lee', email }])
    expect((await client.rpc('email_confirmed', { user_id: id })).data).toBe(true)
    const signedIn = await client.auth.signInWithPassword({ email, password: 'secret-1' })
    expect(signedIn.error).toBeNull()
    const own = await client.from('users').select('*').eq('id', id).single<object>()
    expect(own.data).toMatchObject({
      role: 'admin',
      hidden_chats: [],
      archived_chats: [],
      push_token: null,
    })
  })

  test('the first to confirm becomes admin, not the first to sign up', async () => {
    const early = await signUp('early@example.com')
    const quick = await signUp('quick@example.com')
    await confirm(quick.email)
    await confirm(early.email)
    expect((await members()).map(({ id, role }) => [id, role]).sort()).toEqual(
      [
        [early.id, 'user'],
        [quick.id, 'admin'],
      ].sort(),
    )
  })

  test('of many who confirm concurrently exactly one becomes admin', async () => {
    const ids = Array.from({ length: 12 }, () => randomUUID())
    const clients = await Promise.all(
      ids.map(async () => {
        const client = new pg.Client({ connectionString: backend.superuserUrl })
        await client.connect()
        return client
      }),
    )
    await Promise.all(
      clients.map((client, index) =>
        anAccount(
          async <Row>(text: string, values?: unknown[]) =>
            (await client.query(text, values)).rows as Row[],
          {
            id: ids[index] ?? '',
            email: `${index}@example.com`,
            traits: {},
          },
        ),
      ),
    )
    await Promise.all(clients.map((client) => client.end()))
    expect((await members()).map((member) => member.role).sort()).toEqual([
      'admin',
      ...Array.from({ length: 11 }, () => 'user'),
    ])
  })

  test('after the last member is gone, the next one becomes admin', async () => {
    const ann = await signUp('ann@example.com')
    await confirm(ann.email)
    await owner.query('delete from auth.users where id = $1', [ann.id])
    const bea = await signUp('bea@example.com')
    await confirm(bea.email)
    expect((await members()).filter(({ role }) => role === 'admin')).toMatchObject([{ id: bea.id }])
  })
})
