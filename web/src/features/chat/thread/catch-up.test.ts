import 'fake-indexeddb/auto'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { aMessage } from '#features/chat/model/chat-builders.ts'
import type { Message } from '#features/chat/model/chat-types.ts'
import { messagesQuery } from '#features/chat/model/message-queries.ts'
import {
  addMessage,
  addLiveMessage,
  withoutFarNewer,
  type MessageWindow,
} from '#features/chat/model/message-window.ts'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { catchUp } from './catch-up.ts'

const START = Date.parse('2026-11-20T09:00:00.000Z')
const { queryKey } = messagesQuery('chat', 'maya')

const EMPTY: MessageWindow = { messages: [], hasOlder: false, hasNewer: false, syncedTo: null }

/** The server's messages, served like the Data API does. */
let stored: Message[] = []
let client: QueryClient
let asked: string[] = []
let whenAsked: () => void

beforeEach(() => {
  stored = []
  asked = []
  whenAsked = () => {}
  client = new QueryClient()
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'key' })
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input)
    asked.push(url.pathname)
    whenAsked()
    const body = url.pathname.endsWith('/chat_changes')
      ? changes(JSON.parse(init?.body as string) as { since: string; max_results: number })
      : page(url.searchParams)
    return Promise.resolve(Response.json(body))
  })
})

function page(asked: URLSearchParams) {
  const since = asked.get('sent_at')?.replace('gte.', '')
  const limit = Number(asked.get('limit'))
  const rows = stored.map((message) => ({ ...message, my_reactions: [] }))
  if (!since) return rows.slice(-limit).reverse()
  return rows.filter((row) => row.sent_at >= since).slice(0, limit)
}

function changes({ since, max_results }: { since: string; max_results: number }) {
  return stored
    .filter(({ changed_at }) => changed_at && changed_at >= since)
    .sort((a, b) => ((a.changed_at ?? '') < (b.changed_at ?? '') ? -1 : 1))
    .slice(0, max_results)
}

const at = (seconds: number) => new Date(START + seconds * 1000).toISOString()

function say(seconds: number, some: Partial<Message> = {}): Message {
  const message = aMessage({ id: `at ${seconds}`, sent_at: at(seconds), ...some })
  stored = [...stored, message].sort((a, b) => (a.sent_at < b.sent_at ? -1 : 1))
  return message
}

const known = () => client.getQueryData<MessageWindow>(queryKey)
const ids = () => known()?.messages.map(({ id }) => id)

test('messages missed while the connection was dead are loaded, even if an own message got through', async () => {
  say(0)
  await catchUp(client, 'chat', 'maya')
  say(60)
  const own = say(120, { sender_id: 'maya' })
  client.setQueryData<MessageWindow>(queryKey, (window) => window && addMessage(window, own))
  await catchUp(client, 'chat', 'maya')
  expect(ids()).toEqual(['at 0', 'at 60', 'at 120'])
})

test('a message received right after reconnecting does not hide what was missed before it', async () => {
  say(0)
  await catchUp(client, 'chat', 'maya')
  say(60)
  const received = say(120)
  client.setQueryData<MessageWindow>(
    queryKey,
    (window) => window && addLiveMessage(window, received, false),
  )
  await catchUp(client, 'chat', 'maya')
  expect(ids()).toEqual(['at 0', 'at 60', 'at 120'])
})

test('when more than a page was missed, the rest loads on scrolling, without a gap', async () => {
  say(0)
  await catchUp(client, 'chat', 'maya')
  for (let n = 1; n <= 450; n++) say(n * 20)
  await catchUp(client, 'chat', 'maya')
  expect(known()?.hasNewer).toBe(true)
  expect(ids()).toEqual(stored.slice(0, 200).map(({ id }) => id))
  const live = say(20_000)
  client.setQueryData<MessageWindow>(
    queryKey,
    (window) => window && addLiveMessage(window, live, true),
  )
  expect(ids()).toHaveLength(200)
})

test('a live message during a large catch-up does not leave a gap', async () => {
  say(0)
  await catchUp(client, 'chat', 'maya')
  for (let n = 1; n <= 450; n++) say(n * 20)
  const live = say(20_000)
  client.setQueryData<MessageWindow>(
    queryKey,
    (window) => window && addLiveMessage(window, live, false),
  )
  await catchUp(client, 'chat', 'maya')
  expect(known()?.hasNewer).toBe(true)
  expect(ids()).toEqual(stored.slice(0, 200).map(({ id }) => id))
})

test('a thread that received more than a page in the last seconds stays live', async () => {
  say(0)
  await catchUp(client, 'chat', 'maya')
  for (let n = 1; n <= 450; n++) {
    const received = say(n / 100)
    client.setQueryData<MessageWindow>(
      queryKey,
      (window) => window && addLiveMessage(window, received, true),
    )
  }
  await catchUp(client, 'chat', 'maya')
  expect(known()?.hasNewer).toBe(false)
  expect(ids()).toHaveLength(451)
})

test('more edits than one page holds are all loaded', async () => {
  for (let n = 0; n < 40; n++) say(n)
  await catchUp(client, 'chat', 'maya')
  stored = stored.map((message, n) => ({
    ...message,
    message: `Edited ${n}`,
    changed_at: at(100 + n),
  }))
  const older = Array.from({ length: 450 }, (_, n) =>
    aMessage({ sent_at: at(-9000 + n), changed_at: at(60 + n / 100) }),
  )
  stored = [...older, ...stored]
  await catchUp(client, 'chat', 'maya')
  const shown = known()?.messages.filter(({ id }) => id.startsWith('at'))
  expect(shown?.map(({ message }) => message)).toEqual(
    stored.slice(-40).map((each) => each.message),
  )
  expect(asked.filter((path) => path.endsWith('/chat_changes')).length).toBeGreaterThan(2)
})

test('a thread whose first page is still loading misses no live message', async () => {
  say(0)
  const loading = client.fetchQuery(messagesQuery('chat', 'maya'))
  const catching = catchUp(client, 'chat', 'maya')
  await loading
  say(1)
  await catching
  expect(ids()).toEqual(['at 0', 'at 1'])
})

test('a thread whose newest messages were put away while it caught up has no gap', async () => {
  for (let n = 0; n <= 500; n++) {
    const received = say(n)
    client.setQueryData<MessageWindow>(queryKey, (window) =>
      addLiveMessage(window ?? EMPTY, received, true),
    )
  }
  say(600)
  whenAsked = () =>
    client.setQueryData<MessageWindow>(queryKey, (window) => window && withoutFarNewer(window))
  await catchUp(client, 'chat', 'maya')
  expect(known()?.hasNewer).toBe(true)
  expect(ids()).toEqual(stored.slice(0, 400).map(({ id }) => id))
})
