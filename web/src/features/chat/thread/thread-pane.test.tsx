import 'fake-indexeddb/auto'
import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { forgetCopies } from '#data/kept/kept-queries.ts'
import { aChat, aMessage } from '#features/chat/model/chat-builders.ts'
import { chatListQuery, chatQuery } from '#features/chat/model/chat-queries.ts'
import { messagesQuery } from '#features/chat/model/message-queries.ts'
import { outboxOf } from '#features/chat/outbox/member-outbox.ts'
import { anEntry } from '#features/chat/outbox/outbox-builders.ts'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { renderScreen } from '../../../../testing/draw-screen.tsx'
import { aSession, fakeBackend } from '../../../../testing/fake-backend.ts'
import { keepFor } from '../../../../testing/kept-copies.ts'
import { ThreadPane } from './thread-pane.tsx'

const CHAT = { id: 'chat', name: 'Squad', type: 'group', created_by: 'maya', is_active: true }
const PROFILE = { id: 'maya', email: 'maya@example.com', role: 'user', can_send_messages: true }
const alerts = vi.fn()

type Responses = Parameters<typeof fakeBackend>[0]

function openThread(responses: Responses = {}) {
  const calls = fakeBackend({
    // The first matching path responds; of equal names the last one counts.
    ...responses,
    'GET /rest/v1/chats?': { body: CHAT },
    'GET /rest/v1/chat_messages?': { body: [] },
    'GET /rest/v1/users?select=*': { body: PROFILE },
    'GET /rest/v1/users?': { body: [] },
    'POST /rest/v1/rpc/': { body: [] },
    ...responses,
  })
  localStorage.setItem('member-session', JSON.stringify(aSession()))
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'key' })
  return { calls, ...renderScreen({ path: '/chat/chat', screen: <ThreadPane chatId="chat" /> }) }
}

beforeEach(async () => {
  await forgetCopies()
  alerts.mockClear()
  vi.stubGlobal('alert', alerts)
  // No live connection in these tests.
  vi.stubGlobal(
    'WebSocket',
    class extends EventTarget {
      close() {}
    },
  )
})

const never = () => new Promise<never>(() => {})

test('while nothing is known of a chat, there is the way back', () => {
  openThread({ 'GET /rest/v1/chats?': never })
  expect(screen.getByRole('link', { name: 'Back to chats' }).getAttribute('href')).toBe('/chat')
  expect(screen.getByText('Loading…')).toBeTruthy()
  expect(screen.queryByRole('log')).toBeNull()
})

const LISTED = { body: [aChat({ chat_id: 'chat', title: 'Squad' })] }
const SLOW = {
  'POST /rest/v1/rpc/chat_list': LISTED,
  'GET /rest/v1/chats?': never,
  'GET /rest/v1/chat_messages?': never,
}

test('a chat of the list has its name and composer before the server has responded', async () => {
  localStorage.setItem('draft:chat:maya:chat', 'Half a thought')
  openThread(SLOW)
  expect(await screen.findByRole('heading', { name: /Squad/ })).toBeTruthy()
  expect(screen.getByText('Loading…')).toBeTruthy()
  expect(screen.getByDisplayValue('Half a thought')).toBeTruthy()
})

test('what is typed at a desk goes to the chat that was just opened', async () => {
  openThread(SLOW)
  const composer = await screen.findByRole('textbox', { name: 'Message' })
  expect(document.activeElement).toBe(composer)
})

test('on a touch screen a chat opens without its keyboard', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  openThread(SLOW)
  const composer = await screen.findByRole('textbox', { name: 'Message' })
  expect(document.activeElement).not.toBe(composer)
})

test('a chat that opens late takes nothing from a field in which somebody types', async () => {
  const search = document.body.appendChild(document.createElement('input'))
  onTestFinished(() => search.remove())
  search.focus()
  openThread(SLOW)
  await screen.findByRole('textbox', { name: 'Message' })
  expect(document.activeElement).toBe(search)
})

test('a chat without messages says so, and has a composer', async () => {
  openThread()
  expect(await screen.findByText('No one has written here yet. Say hello!')).toBeTruthy()
  expect(screen.getByRole('textbox', { name: 'Message' })).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true)
})

test('a member who may not send sees so in place of the composer', async () => {
  openThread({
    'GET /rest/v1/users?select=*': { body: { ...PROFILE, can_send_messages: false } },
  })
  expect(
    await screen.findByText('You do not have permission to send messages in this chat.'),
  ).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
})

test('a chat that does not exist, or that the member is not in, is not found', async () => {
  openThread({ 'GET /rest/v1/chats?': { body: [] } })
  expect(await screen.findByText('Chat not found')).toBeTruthy()
  const back = screen.getByRole('link', { name: 'Back to Chats' })
  expect(back.getAttribute('href')).toBe('/chat')
})

test('a member who was removed from a group sees that they were, and their unsent text', async () => {
  localStorage.setItem('draft:chat:maya:chat', 'Half a thought')
  openThread({
    'GET /rest/v1/chats?': { body: [] },
    'POST /rest/v1/rpc/chat_departure': { body: [{ title: 'Squad', was_removed: true }] },
  })
  expect(await screen.findByText(/^You were removed from Squad/)).toBeTruthy()
  expect(screen.getByText('Half a thought')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Discard' }))
  expect(screen.queryByText('Half a thought')).toBeNull()
  expect(localStorage.getItem('draft:chat:maya:chat')).toBeNull()
})

test('a chat that cannot be loaded shows the error, and leads back to the list', async () => {
  openThread({ 'GET /rest/v1/chats?': { status: 400, body: { message: 'No luck' } } })
  expect(await screen.findByText('at /chat')).toBeTruthy()
  expect(alerts).toHaveBeenCalledExactlyOnceWith('Error loading chat: No luck')
})

test('a chat whose messages cannot be loaded shows the error, and leads back to the list', async () => {
  openThread({ 'GET /rest/v1/chat_messages?': { status: 400, body: { message: 'No luck' } } })
  expect(await screen.findByText('at /chat')).toBeTruthy()
  expect(alerts).toHaveBeenCalledExactlyOnceWith('Error loading chat: No luck')
})

test('a lost read mark is sent again: up to what was read, not what came since', async () => {
  const message = { ...aMessage(), my_reactions: [] }
  const body = [aChat({ chat_id: 'chat', unread_count: 1 })]
  let tries = 0
  const { calls } = openThread({
    'GET /rest/v1/chat_messages?': { body: [message] },
    'POST /rest/v1/rpc/chat_list': { body },
    'POST /rest/v1/rpc/mark_chat_read': () =>
      ++tries === 1 ? Promise.reject(new TypeError('Failed to fetch')) : { body: null },
  })
  await vi.waitFor(() => expect(tries).toBe(2))
  const marks = calls.filter(({ path }) => path.endsWith('mark_chat_read'))
  expect(marks.map((each) => each.body)).toEqual([
    { chat_id: 'chat' },
    { chat_id: 'chat', read_until: message.sent_at },
  ])
})

test('offline, a thread is read from the device, with its age', async () => {
  const messages = [aMessage()]
  const window = { messages, hasOlder: false, hasNewer: false, syncedTo: messages[0]?.sent_at }
  await keepFor(messagesQuery('chat', 'maya'), window)
  openThread({ 'GET /rest/v1/chat_messages?': () => Promise.reject(new TypeError('offline')) })
  expect(await screen.findByText(/^Last updated/)).toBeTruthy()
})

test('with a slow server a thread is read from the device at once', async () => {
  const messages = [aMessage()]
  const window = { messages, hasOlder: false, hasNewer: false, syncedTo: messages[0]?.sent_at }
  await keepFor(messagesQuery('chat', 'maya'), window)
  await keepFor(chatQuery('chat'), CHAT)
  await keepFor(chatListQuery('maya'), [aChat({ chat_id: 'chat', title: 'Squad' })])
  openThread({
    'GET /rest/v1/chats?': never,
    'GET /rest/v1/chat_messages?': never,
    'POST /rest/v1/rpc/': never,
  })
  expect(await screen.findByRole('log')).toBeTruthy()
  expect(screen.getByRole('heading', { name: /Squad/ })).toBeTruthy()
  expect(screen.queryByText(/^Last updated/)).toBeNull()
})

test('what could not be sent to a group that is no longer the member’s is there to copy or discard', async () => {
  openThread({
    'GET /rest/v1/chats?': { body: [] },
    'POST /rest/v1/chat_messages': { status: 403, body: { code: '42501', message: 'No' } },
  })
  await outboxOf('maya').add(anEntry({ memberId: 'maya', chatId: 'chat', text: 'Too late' }))
  expect(await screen.findByText('Too late')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Copy text' })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Discard' }))
  await vi.waitFor(() => expect(screen.queryByText('Too late')).toBeNull())
})
