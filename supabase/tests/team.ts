// Builders: members with accounts, the official client signed in as each, and owner access for set-up.
import { randomUUID } from 'node:crypto'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import pg from 'pg'
import { WebSocket } from 'ws'
import {
  startTestBackend,
  type EdgeFunctions,
  type TestBackend,
} from 'backend/testing/start-test-backend.ts'

export type Person = { id: string; email: string; client: SupabaseClient }

export type Team = {
  backend: TestBackend
  /** Runs a query as the project's owner, bypassing all policies. */
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>
  aMember(traits?: MemberTraits): Promise<Person>
  anonymous(): Person
  service(): Person
  mandatoryChatId: string
  close(): Promise<void>
}

export type MemberTraits = {
  firstName?: string
  lastName?: string
  isAdmin?: boolean
  rallyEnabled?: boolean
  canCreateChats?: boolean
  canSendMessages?: boolean
  canSupervise?: boolean
}

type Failure = Error & { code?: string }

/** Calls a database function; the result type is the caller's claim. */
export async function call<Data>(
  { client }: Person,
  name: string,
  args: Record<string, unknown> = {},
): Promise<{ data: Data | null; error: Failure | null; status: number }> {
  return client.rpc(name, args)
}

/** Whoever confirms an address is a member, and the first of them is admin. */
export const OPEN_TO_EVERYBODY = "update public.team_settings set registration = 'open'"

const ONE_HOUR_S = 3600

/**
 * A product database open to everybody, with a single admin, so that no test member is the first; or an empty one, as it is
 * on the first day.
 */
export async function aTeam({
  isEmpty = false,
  functions = {},
}: { isEmpty?: boolean; functions?: EdgeFunctions } = {}): Promise<Team> {
  const backend = await startTestBackend({ migrations: 'product', settings: { functions } })
  const owner = new pg.Client({ connectionString: backend.superuserUrl })
  await owner.connect()
  await owner.query('set role postgres')
  const clients: SupabaseClient[] = []
  const sql: Team['sql'] = async <Row>(text: string, values: unknown[] = []) =>
    (await owner.query(text, values)).rows as Row[]

  const clientFor = (key: string, token?: string) => {
    const client = createClient(backend.url, key, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: WebSocket as never },
      ...(token ? { accessToken: () => Promise.resolve(token) } : {}),
    })
    clients.push(client)
    return client
  }

  async function aMember(traits: MemberTraits = {}): Promise<Person> {
    const id = randomUUID()
    const email = `${id}@example.com`
    await anAccount(sql, { id, email, traits })
    await sql(
      `update private.members set role = $2, rally_enabled = $3, can_create_chats = $4, can_send_messages = $5,
         can_supervise = $6, status = case $2 when 'admin' then 'active' else status end
       where id = $1`,
      [
        id,
        traits.isAdmin ? 'admin' : 'user',
        traits.rallyEnabled ?? true,
        traits.canCreateChats ?? true,
        traits.canSendMessages ?? true,
        traits.canSupervise ?? false,
      ],
    )
    return { id, email, client: clientFor(backend.publishableKey, await aToken(backend, id)) }
  }

  if (!isEmpty) {
    await sql(OPEN_TO_EVERYBODY)
    await anAccount(sql, { id: randomUUID(), email: 'first@example.com', traits: {} })
  }
  const [mandatory] = await sql<{ id: string }>(
    "select id from public.chats where type = 'mandatory'",
  )
  return {
    backend,
    sql,
    aMember,
    anonymous: () => ({
      id: randomUUID(),
      email: '',
      client: clientFor(backend.publishableKey),
    }),
    service: () => ({ id: '', email: '', client: clientFor(backend.secretKey) }),
    mandatoryChatId: mandatory?.id ?? '',
    async close() {
      await Promise.all(clients.map((client) => client.removeAllChannels()))
      for (const client of clients) await client.realtime.disconnect()
      await owner.end()
      await backend.close()
    },
  }
}

/** A confirmed account, as the auth service stores it. */
export async function anAccount(
  sql: Team['sql'],
  { id, email, traits }: { id: string; email: string; traits: MemberTraits },
): Promise<void> {
  await sql(
    `insert into auth.users (id, email, aud, role, email_confirmed_at, created_at, raw_user_meta_data)
     values ($1, $2, 'authenticated', 'authenticated', now(), now(), $3)`,
    [id, email, { first_name: traits.firstName ?? 'Pat', last_name: traits.lastName ?? 'Doe' }],
  )
}

/** What a token says of somebody who signed in at `now`, in seconds. Not with a password: then an account can be deleted. */
export function claimsOf(id: string, now = Math.floor(Date.now() / 1000)) {
  return { role: 'authenticated', sub: id, amr: [{ method: 'otp', timestamp: now }] }
}

export async function aToken(backend: TestBackend, id: string): Promise<string> {
  const now = Math.floor(backend.clock.now() / 1000)
  return backend.tokens.sign({ ...claimsOf(id, now), iat: now, exp: now + ONE_HOUR_S })
}
