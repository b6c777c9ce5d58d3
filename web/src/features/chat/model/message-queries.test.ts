import 'fake-indexeddb/auto'
import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { fakeBackend } from '../../../../testing/fake-backend.ts'
import { keepFor } from '../../../../testing/kept-copies.ts'
import { aMessage } from './chat-builders.ts'
import { messagesQuery } from './message-queries.ts'

test('reading again leaves the history that is loaded, for catching up adds what is new', async () => {
  const messages = [{ ...aMessage(), my_reactions: [] }]
  fakeBackend({ 'GET /rest/v1/chat_messages?': { body: [] } })
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'key' })
  const client = new QueryClient()
  const query = messagesQuery('far back', 'maya')
  const window = { messages, hasOlder: true, hasNewer: true, syncedTo: null }
  client.setQueryData(query.queryKey, window)
  await client.refetchQueries({ queryKey: query.queryKey })
  expect(client.getQueryData(query.queryKey)).toEqual(window)
})

test('with a slow server there is the copy of the device, and its response joins it', async () => {
  const known = { ...aMessage(), my_reactions: [] }
  const news = { ...known, id: crypto.randomUUID(), sent_at: '2026-11-20T10:00:00Z' }
  const window = {
    messages: [known],
    hasOlder: false,
    hasNewer: false,
    syncedTo: known.sent_at,
  }
  await keepFor(messagesQuery('chat', 'maya'), window)
  let respond = () => {}
  const slow = new Promise<void>((resolve) => (respond = resolve))
  fakeBackend({
    'GET /rest/v1/chat_messages?': () => slow.then(() => ({ body: [news, known] })),
  })
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'key' })

  const client = new QueryClient()
  const query = messagesQuery('chat', 'maya')
  expect(await client.fetchQuery(query)).toEqual({
    ...window,
    copiedAt: expect.any(Number) as number,
  })
  respond()
  await vi.waitFor(() =>
    expect(client.getQueryData(query.queryKey)).toEqual({ ...window, messages: [known, news] }),
  )
})
