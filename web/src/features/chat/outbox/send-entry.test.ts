import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isSignedInAs } from '#data/session/session.ts'
import { loadMessage } from '#features/chat/model/message-queries.ts'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { aSession, fakeBackend } from '../../../../testing/fake-backend.ts'
import { anEntry } from './outbox-builders.ts'
import type { OutboxEntry } from './outbox-entry.ts'
import { sendEntry } from './send-entry.ts'

const INSERT = 'POST /rest/v1/chat_messages'
const READ = 'GET /rest/v1/chat_messages'
const UPLOAD = 'POST /storage/v1/object/chat-images/'
const stored = { body: { id: 'one', message: 'On it', my_reactions: [] } }
const absent = { body: [] }
const entry = anEntry({ id: 'one' })
const image = {
  file: new Blob(['picture'], { type: 'image/webp' }),
  attachment: { path: 'chat/one.webp', width: 4, height: 3 },
}
const send = (message: OutboxEntry, timeouts?: Parameters<typeof sendEntry>[2]) =>
  sendEntry(message, loadMessage, timeouts)
const never = () => new Promise<never>(() => {})

beforeEach(async () => {
  localStorage.setItem('member-session', JSON.stringify(aSession()))
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  await vi.waitFor(() => expect(isSignedInAs('maya')).toBe(true))
})
afterEach(() => vi.unstubAllGlobals())

test('a message is stored under the id it was written with', async () => {
  const calls = fakeBackend({ [INSERT]: { status: 201 }, [READ]: stored })
  expect(await send(entry)).toMatchObject({ kind: 'stored', message: { id: 'one' } })
  expect(calls[0]?.body).toMatchObject({ id: 'one', chat_id: 'chat', sender_id: 'maya' })
})

test('resent after a lost response, the message stored before is found', async () => {
  fakeBackend({ [INSERT]: { status: 409, body: { code: '23505' } }, [READ]: stored })
  expect(await send(entry)).toMatchObject({ kind: 'stored', message: { id: 'one' } })
})

test("a member who may not write here sees the product's words", async () => {
  const body = { code: '42501', message: 'new row violates row-level security policy' }
  fakeBackend({ [INSERT]: { status: 403, body }, [READ]: absent })
  const reason = 'You do not have permission to send messages.'
  expect(await send(entry)).toEqual({ kind: 'refused', reason })
})

test("any other refusal shows the server's message", async () => {
  const body = { code: '23514', message: 'too long' }
  fakeBackend({ [INSERT]: { status: 400, body }, [READ]: absent })
  expect(await send(entry)).toEqual({
    kind: 'refused',
    reason: 'Error sending message: too long',
  })
})

test.each([401, 408, 429, 500, 503])('a %i response is retried', async (status) => {
  fakeBackend({ [INSERT]: { status, body: { message: 'Later' } } })
  expect(await send(entry)).toEqual({ kind: 'unreachable' })
})

test('a network that neither responds nor fails times out and is retried', async () => {
  fakeBackend({ [INSERT]: never })
  const timeouts = { responseMs: 20, uploadMs: 20 }
  expect(await send(entry, timeouts)).toEqual({ kind: 'unreachable' })
  fakeBackend({ [UPLOAD]: never })
  expect(await send({ ...entry, image }, timeouts)).toEqual({ kind: 'unreachable' })
})

test('an image uploaded by an earlier attempt is not uploaded again', async () => {
  const body = { statusCode: '409', error: 'Duplicate', message: 'The resource already exists' }
  fakeBackend({
    [UPLOAD]: { status: 400, body },
    [INSERT]: { status: 201 },
    [READ]: stored,
  })
  expect(await send({ ...entry, image })).toMatchObject({ kind: 'stored' })
})

test('a refused image refuses the message', async () => {
  const body = { statusCode: '413', error: 'Payload too large', message: 'Too large' }
  fakeBackend({ [UPLOAD]: { status: 400, body } })
  expect(await send({ ...entry, image })).toEqual({
    kind: 'refused',
    reason: 'Error uploading image: Too large',
  })
})

const file = {
  file: new Blob(['a,b'], { type: 'text/csv' }),
  attachment: {
    kind: 'file' as const,
    path: 'chat/one.csv',
    name: 'Prices.csv',
    size: 3,
    type: 'text/csv',
  },
}

test('a file that its author cancels while it is uploaded is not sent', async () => {
  const canceled = new AbortController()
  const calls = fakeBackend({ [UPLOAD]: never, [INSERT]: { status: 201 }, [READ]: stored })
  const sending = send({ ...entry, image: file }, { canceled: canceled.signal })
  await vi.waitFor(() => expect(calls).toHaveLength(1))
  canceled.abort()
  expect(await sending).toEqual({ kind: 'canceled' })
  expect(calls).toHaveLength(1)
})

test('a message waits for its author while somebody else is signed in', async () => {
  const calls = fakeBackend({ [INSERT]: { status: 201 }, [READ]: stored })
  expect(await send(anEntry({ memberId: 'noah' }))).toEqual({ kind: 'unreachable' })
  expect(calls).toEqual([])
})
