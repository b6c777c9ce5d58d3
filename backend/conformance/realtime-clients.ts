// Builders for the realtime tests: a database with a small chat, members with tokens, and official clients.
import { randomUUID } from 'node:crypto'
import {
  REALTIME_SUBSCRIBE_STATES,
  RealtimeClient,
  type RealtimeChannel,
} from '@supabase/supabase-js'
import pg from 'pg'
import { afterEach, expect, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { TestBackend } from '../testing/start-test-backend.ts'

/** `room:<id>` may be read by its members; who `can_send` may also send. */
export const ROOMS_SQL = `
  create table public.room_members (
    room_id uuid not null,
    user_id uuid not null,
    can_send boolean not null default true,
    primary key (room_id, user_id)
  );
  create policy "members read their rooms" on realtime.messages for select to authenticated
    using (realtime.topic() in (
      select 'room:' || room_id from public.room_members where user_id = (select auth.uid())
    ));
  create policy "members who may speak send to their rooms" on realtime.messages for insert to authenticated
    with check (realtime.topic() in (
      select 'room:' || room_id from public.room_members
      where user_id = (select auth.uid()) and can_send
    ));
`

const ONE_HOUR_S = 3600

export type Member = { id: string; token: string }

export async function aMember(
  backend: TestBackend,
  { id = randomUUID(), expiresInS = ONE_HOUR_S }: { id?: string; expiresInS?: number } = {},
): Promise<Member> {
  const now = Math.floor(backend.clock.now() / 1000)
  const claims = { sub: id, role: 'authenticated', iat: now, exp: now + expiresInS }
  return { id, token: await backend.tokens.sign(claims) }
}

/** A connection as the project's owner, to set up rooms and broadcast from the database. */
export async function connectOwner(backend: TestBackend): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: backend.superuserUrl })
  await client.connect()
  await client.query('set role postgres')
  return client
}

export async function aRoom(owner: pg.Client, ...members: Member[]): Promise<string> {
  const roomId = randomUUID()
  for (const { id } of members)
    await owner.query('insert into public.room_members (room_id, user_id) values ($1, $2)', [
      roomId,
      id,
    ])
  return `room:${roomId}`
}

export async function aClient(
  backend: TestBackend,
  member: Member | null,
  vsn: '1.0.0' | '2.0.0' = '2.0.0',
): Promise<RealtimeClient> {
  const client = new RealtimeClient(`${backend.url.replace('http', 'ws')}/realtime/v1`, {
    params: { apikey: backend.publishableKey },
    transport: WebSocket as never,
    vsn,
    ...(member ? { accessToken: () => Promise.resolve(member.token) } : {}),
  })
  // As supabase-js does when a session starts.
  if (member) await client.setAuth()
  return client
}

/** Resolves when joined; rejects with the server's error. */
export function join(channel: RealtimeChannel): Promise<RealtimeChannel> {
  return new Promise((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) resolve(channel)
      else reject(error ?? new Error(status))
    })
  })
}

export type Received = {
  event: string
  payload: unknown
  meta?: { id: string; replayed?: boolean }
}

/** Collects what a channel receives, to be awaited. Call before joining. */
export function listen(channel: RealtimeChannel): {
  received: Received[]
  until(count: number): Promise<Received[]>
} {
  const received: Received[] = []
  const waiting: { count: number; resolve(received: Received[]): void }[] = []
  channel.on('broadcast', { event: '*' }, (message) => {
    received.push(message as unknown as Received)
    for (const each of waiting) if (received.length >= each.count) each.resolve(received)
  })
  return {
    received,
    until: (count) =>
      received.length >= count
        ? Promise.resolve(received)
        : new Promise((resolve) => waiting.push({ count, resolve })),
  }
}

/** Creates clients that are disconnected after each test. */
export function clientsFor(backend: () => TestBackend) {
  const made: RealtimeClient[] = []
  afterEach(async () => {
    await Promise.all(made.splice(0).map((client) => client.disconnect()))
  })
  return async (member: Member | null, vsn?: '1.0.0' | '2.0.0') => {
    const client = await aClient(backend(), member, vsn)
    made.push(client)
    return client
  }
}

/** Resolves when the server has closed the channel for good. */
export async function closed(channel: RealtimeChannel): Promise<void> {
  await vi.waitFor(() => expect(channel.state).toBe('closed'), { timeout: 5000 })
}

/** The next message of the server about the channel itself. */
export function systemMessage(channel: RealtimeChannel): Promise<Record<string, string>> {
  return new Promise((resolve) =>
    channel.on('system', {}, (payload) => resolve(payload as unknown as Record<string, string>)),
  )
}
