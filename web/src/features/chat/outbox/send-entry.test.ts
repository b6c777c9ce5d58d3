import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aSession, fakeBackend } from '../../../../testing/fake-backend.ts'
import { isSignedInAs } from '#lib/session.ts'
import { connectSupabase } from '#lib/supabase-connection.ts'
import { anEntry } from './outbox-builders.ts'
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
const never = () => new Promise<never>(() => {})

beforeEach(async () => {
  localStorage.setItem('member-session', JSON.stringify(aSession()))
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  await vi.waitFor(() => expect(isSignedInAs('maya')).toBe(true))
})
afterEach(() => vi.unstubAllGlobals())

test('a message is stored under the id it was written with', async () => {
  const calls = fakeBackend({ [INSERT]: { status: 201 }, [READ]: stored })
  expect(await sendEntry(entry)).toMatchObject({ kind: 'stored', message: { id: 'one' } })
  expect(calls[0]?.body).toMatchObject({ id: 'one', chat_id: 'chat', sender_id: 'maya' })
})

test('sent again after a lost answer, the message stored before is found', async () => {
  fakeBackend({ [INSERT]: { status: 409, body: { code: '23505' } }, [READ]: stored })
  expect(await sendEntry(entry)).toMatchObject({ kind: 'stored', message: { id: 'one' } })
})

test('who may not write here is told in the product’s words', async () => {
  const body = { code: '42501', message: 'new row violates row-level security policy' }
  fakeBackend({ [INSERT]: { status: 403, body }, [READ]: absent })
  const reason = 'You do not have permission to send messages.'
  expect(await sendEntry(entry)).toEqual({ kind: 'refused', reason })
})

test('another refusal is told with what the server says', async () => {
  const body = { code: '23514', message: 'too long' }
  fakeBackend({ [INSERT]: { status: 400, body }, [READ]: absent })
  expect(await sendEntry(entry)).toEqual({
    kind: 'refused',
    reason: 'Error sending message: too long',
  })
})

test.each([401, 408, 429, 500, 503])('an answer of %i is tried again', async (status) => {
  fakeBackend({ [INSERT]: { status, body: { message: 'Later' } } })
  expect(await sendEntry(entry)).toEqual({ kind: 'unreachable' })
})

test('a network that neither answers nor fails is given up, and tried again', async () => {
  fakeBackend({ [INSERT]: never })
  const within = { answerMs: 20, uploadMs: 20 }
  expect(await sendEntry(entry, within)).toEqual({ kind: 'unreachable' })
  fakeBackend({ [UPLOAD]: never })
  expect(await sendEntry({ ...entry, image }, within)).toEqual({ kind: 'unreachable' })
})

test('an image that got through at an earlier try is not sent again in vain', async () => {
  const body = { statusCode: '409', error: 'Duplicate', message: 'The resource already exists' }
  fakeBackend({
    [UPLOAD]: { status: 400, body },
    [INSERT]: { status: 201 },
    [READ]: stored,
  })
  expect(await sendEntry({ ...entry, image })).toMatchObject({ kind: 'stored' })
})

test('an image that is refused is the message refused', async () => {
  const body = { statusCode: '413', error: 'Payload too large', message: 'Too large' }
  fakeBackend({ [UPLOAD]: { status: 400, body } })
  expect(await sendEntry({ ...entry, image })).toEqual({
    kind: 'refused',
    reason: 'Error uploading image: Too large',
  })
})

test('a message waits for its writer while somebody else is signed in', async () => {
  const calls = fakeBackend({ [INSERT]: { status: 201 }, [READ]: stored })
  expect(await sendEntry(anEntry({ memberId: 'noah' }))).toEqual({ kind: 'unreachable' })
  expect(calls).toEqual([])
})
