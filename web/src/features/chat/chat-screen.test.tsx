import 'fake-indexeddb/auto'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { aChat } from '#features/chat/model/chat-builders.ts'
import { chatListQuery } from '#features/chat/model/chat-queries.ts'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { aSession, fakeBackend } from '../../../testing/fake-backend.ts'
import { keepFor } from '../../../testing/kept-copies.ts'
import { ChatScreen } from './chat-screen.tsx'

const PROFILE = { id: 'maya', email: 'maya@example.com', role: 'user' }

function openChats(
  rights: { can_create_chats: boolean },
  responses: Parameters<typeof fakeBackend>[0] = {},
) {
  fakeBackend({
    ...responses,
    'GET /rest/v1/users?': { body: { ...PROFILE, ...rights } },
    'POST /rest/v1/rpc/': { body: [] },
  })
  localStorage.setItem('member-session', JSON.stringify(aSession()))
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'key' })
  return renderScreen({ path: '/chat', screen: <ChatScreen /> })
}

beforeEach(() => {
  // No live connection in these tests.
  vi.stubGlobal(
    'WebSocket',
    class extends EventTarget {
      close() {}
    },
  )
})

test('next to the list, with no chat open, a new one can be started', async () => {
  openChats({ can_create_chats: true })
  expect(screen.getByText('Select a chat to read it here')).toBeTruthy()
  await screen.findByText('No chats found')
  const starts = screen.getAllByRole('link', { name: 'Create a chat' })
  expect(starts.map((link) => link.getAttribute('href'))).toEqual(['/chat/create', '/chat/create'])
})

test('a member who may not create chats is not offered to', async () => {
  openChats({ can_create_chats: false })
  await screen.findByText('No chats found')
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Create a chat' })).toBeNull())
  expect(screen.getByText('Select a chat to read it here')).toBeTruthy()
})

test('chats that cannot be loaded show the error once', async () => {
  const alerts = vi.fn()
  vi.stubGlobal('alert', alerts)
  openChats(
    { can_create_chats: true },
    { 'POST /rest/v1/rpc/chat_list': { status: 400, body: { message: 'No luck' } } },
  )
  await waitFor(() =>
    expect(alerts).toHaveBeenCalledExactlyOnceWith('Error loading chats: No luck'),
  )
})

test('chats of an earlier visit are shown without an alert while the server is away', async () => {
  const alerts = vi.fn()
  vi.stubGlobal('alert', alerts)
  await keepFor(chatListQuery('maya'), [aChat({ title: 'Squad' })])
  openChats(
    { can_create_chats: true },
    { 'POST /rest/v1/rpc/chat_list': () => Promise.reject(new TypeError('Failed to fetch')) },
  )
  expect(await screen.findByText('Squad')).toBeTruthy()
  expect(await screen.findByText(/The server isn't answering/)).toBeTruthy()
  expect(alerts).not.toHaveBeenCalled()
})

test('a filter that hides every chat can be cleared', async () => {
  openChats({ can_create_chats: true })
  await screen.findByText('No chats found')
  expect(screen.queryByRole('button', { name: 'Show all chats' })).toBeNull()
  fireEvent.click(screen.getByRole('tab', { name: 'Groups' }))
  fireEvent.click(screen.getByRole('button', { name: 'Show all chats' }))
  expect(screen.getByRole('tab', { name: 'All', selected: true })).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('tabpanel'))
})

const PRIYA = aChat({
  type: 'individual',
  title: 'Priya Shah',
  other_user_id: 'priya',
  other_email: 'priya.shah@example.com',
  member_count: 2,
  last_message_id: 'told',
  last_message: 'Told you',
  last_message_at: '2026-11-20T09:00:00Z',
  last_sender_id: 'priya',
  last_sender_name: 'Priya Shah',
})
const listing = (...chats: object[]) => ({ 'POST /rest/v1/rpc/chat_list': { body: chats } })

test("an individual chat's card has the other's address, or that they are an admin, and who wrote last", async () => {
  const own = { ...PRIYA, chat_id: 'own', other_is_admin: true, last_sender_id: 'maya' }
  openChats({ can_create_chats: true }, listing(PRIYA, own))
  const [first, second] = await screen.findAllByRole('link', { name: /Priya Shah/ })
  expect(first?.textContent).toMatch(/Priya Shah · priya\.shah@example\.com/)
  expect(first?.textContent).toContain('Priya: Told you')
  expect(second?.textContent).toMatch(/Priya Shah · Admin/)
  expect(second?.textContent).toContain('You: Told you')
})

test('the mandatory chat can be marked as unread and muted, not pinned, hidden or archived', async () => {
  openChats({ can_create_chats: true }, listing(aChat({ type: 'mandatory', title: 'Rally Chat' })))
  fireEvent.contextMenu(await screen.findByRole('link', { name: /Rally Chat/ }))
  expect(await screen.findByRole('menuitem', { name: 'Mute' })).toBeTruthy()
  expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
    'Mark as unread',
    'Mute',
    'Mentions and replies only',
  ])
})

test('unread chats alone are shown on request, and after the next start too', async () => {
  const crew = aChat({ title: 'Crew', unread_count: 2 })
  const lists = () => openChats({ can_create_chats: true }, listing(PRIYA, crew))
  const { unmount } = lists()
  await screen.findByRole('link', { name: /Priya Shah/ })
  fireEvent.click(screen.getByRole('button', { name: 'Unread' }))
  expect(screen.queryByRole('link', { name: /Priya Shah/ })).toBeNull()
  expect(screen.getByRole('link', { name: /Crew/ })).toBeTruthy()
  unmount()

  lists()
  const filter = await screen.findByRole('button', { name: 'Unread', pressed: true })
  await screen.findByRole('link', { name: /Crew/ })
  fireEvent.click(screen.getByRole('tab', { name: 'Individual' }))
  expect(screen.getByText('Nothing unread')).toBeTruthy()
  fireEvent.click(filter)
  expect(screen.getByRole('link', { name: /Priya Shah/ })).toBeTruthy()
})

test('a chat marked as unread says so on its card', async () => {
  openChats({ can_create_chats: true }, listing({ ...PRIYA, is_marked_unread: true }))
  expect(await screen.findByRole('link', { name: /Marked as unread/ })).toBeTruthy()
})

test('a search among people offers to search messages for the same words', async () => {
  openChats({ can_create_chats: true }, listing(PRIYA))
  await screen.findByText('Priya Shah')
  fireEvent.click(screen.getByRole('button', { name: 'Search' }))
  expect(screen.queryByRole('tab')).toBeNull()
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'license' } })
  fireEvent.click(await screen.findByRole('button', { name: 'Search messages for “license”' }))
  expect(await screen.findByText('No messages found')).toBeTruthy()
})

test('a draft for a chat that is no longer mine can be reached', async () => {
  localStorage.setItem('draft:chat:maya:gone', 'Half a thought')
  localStorage.setItem(`draft:chat:maya:${PRIYA.chat_id}`, 'Reachable from its card')
  openChats({ can_create_chats: true }, listing(PRIYA))
  const links = await screen.findAllByRole('link', { name: /something unsent/ })
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/chat/gone'])
})
