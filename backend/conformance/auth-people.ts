// Builders for the auth tests: clients, members and their mails.
import { createClient, type SupportedStorage } from '@supabase/supabase-js'
import pg from 'pg'
import { expect } from 'vitest'
import WebSocket from 'ws'
import type { TestBackend } from '../testing/start-test-backend.ts'

export const someText: unknown = expect.any(String)
export const someNumber: unknown = expect.any(Number)
export const aCode: unknown = expect.stringMatching(/^\d{10}$/)
export const PASSWORD = 'correct horse'
let people = 0

type SupabaseClient = ReturnType<typeof connect>
export type ClientOptions = { flowType?: 'implicit' | 'pkce'; storage?: SupportedStorage }

type SessionSettings = NonNullable<Parameters<typeof createClient>[2]>['auth']

function connect(backend: TestBackend, key: string, auth: SessionSettings) {
  return createClient(backend.url, key, { auth, realtime: { transport: WebSocket as never } })
}

/** A device with its own storage and no automatic refresh. */
export function aClient(backend: TestBackend, options: ClientOptions = {}): SupabaseClient {
  return connect(backend, backend.publishableKey, {
    persistSession: true,
    storage: options.storage ?? memoryStorage(),
    autoRefreshToken: false,
    detectSessionInUrl: false,
    flowType: options.flowType ?? 'implicit',
  })
}

/** A trusted server with the secret key. */
export function aServer(backend: TestBackend): SupabaseClient {
  return connect(backend, backend.secretKey, { persistSession: false, autoRefreshToken: false })
}

export function memoryStorage(): SupportedStorage {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

export function anAddress(): string {
  people += 1
  return `person${people}@example.com`
}

export type Person = { email: string; id: string; client: SupabaseClient }

/** A confirmed member, signed in on one device. */
export async function aMember(backend: TestBackend, email = anAddress()): Promise<Person> {
  const { data, error } = await aServer(backend).auth.admin.createUser({
    email,
    password: PASSWORD,
    email_confirm: true,
    user_metadata: { first_name: 'Ann' },
  })
  if (error) throw error
  const client = await aDevice(backend, email)
  return { email, id: data.user.id, client }
}

/** Another device of a member. */
export async function aDevice(backend: TestBackend, email: string): Promise<SupabaseClient> {
  const client = aClient(backend)
  const { error } = await client.auth.signInWithPassword({ email, password: PASSWORD })
  if (error) throw error
  return client
}

/** The latest mail to an address. */
export function latestMail(backend: TestBackend, to: string) {
  const mail = backend.mail.messages().find((each) => each.to === to)
  if (!mail) throw new Error(`no mail to ${to}`)
  const code = /\b\d{10}\b/.exec(mail.text)?.[0] ?? ''
  return { ...mail, link: mail.links[0] ?? '', code }
}

/** Follows a mailed link. @returns the redirect and its parameters */
export async function openLink(link: string) {
  const response = await fetch(link, { redirect: 'manual' })
  const location = response.headers.get('location') ?? ''
  const target = location ? new URL(location) : null
  return {
    status: response.status,
    location,
    fragment: new URLSearchParams(target?.hash.slice(1)),
    query: new URLSearchParams(target?.search),
    headers: response.headers,
  }
}

/** A raw request, for what the client library would not send. */
export async function call(
  backend: TestBackend,
  path: string,
  {
    method = 'POST',
    body,
    headers = {},
  }: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
) {
  const response = await fetch(`${backend.url}/auth/v1${path}`, {
    method,
    headers: {
      apikey: backend.publishableKey,
      'content-type': 'application/json',
      'x-supabase-api-version': '2024-01-01',
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    redirect: 'manual',
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>,
  }
}

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

/** Runs a query as superuser. */
export async function sql<Row = Record<string, unknown>>(
  backend: TestBackend,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: backend.superuserUrl })
  await client.connect()
  try {
    return (await client.query(text, values)).rows as Row[]
  } finally {
    await client.end()
  }
}

export async function sessionOf(client: SupabaseClient) {
  const { data } = await client.auth.getSession()
  if (!data.session) throw new Error('not signed in')
  return data.session
}
