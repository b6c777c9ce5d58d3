import 'fake-indexeddb/auto'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { connectSupabase } from '#lib/supabase-connection.ts'
import { drawScreen } from '../../../testing/draw-screen.tsx'
import { aSession, fakeBackend } from '../../../testing/fake-backend.ts'
import { ChatScreen } from './chat-screen.tsx'

const PROFILE = { id: 'maya', email: 'maya@example.com', role: 'user' }

function openChats(
  rights: { can_create_chats: boolean },
  answers: Parameters<typeof fakeBackend>[0] = {},
) {
  fakeBackend({
    ...answers,
    'GET /rest/v1/users?': { body: { ...PROFILE, ...rights } },
    'POST /rest/v1/rpc/': { body: [] },
  })
  localStorage.setItem('member-session', JSON.stringify(aSession()))
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'key' })
  return drawScreen({ path: '/chat', screen: <ChatScreen /> })
}

beforeEach(() => {
  // Nobody is heard live here.
  vi.stubGlobal(
    'WebSocket',
    class extends EventTarget {
      close() {}
    },
  )
})

test('beside the list, where no chat is open, a new one can be started', async () => {
  openChats({ can_create_chats: true })
  expect(screen.getByText('Select a chat to read it here')).toBeTruthy()
  await screen.findByText('No chats found')
  const starts = screen.getAllByRole('link', { name: 'Create a chat' })
  expect(starts.map((link) => link.getAttribute('href'))).toEqual(['/chat/create', '/chat/create'])
})

test('who may not create chats is not offered to', async () => {
  openChats({ can_create_chats: false })
  await screen.findByText('No chats found')
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Create a chat' })).toBeNull())
  expect(screen.getByText('Select a chat to read it here')).toBeTruthy()
})

test('chats that cannot be loaded say why, once', async () => {
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

test('a filter that leaves no chat can be taken away', async () => {
  openChats({ can_create_chats: true })
  await screen.findByText('No chats found')
  expect(screen.queryByRole('button', { name: 'Show all chats' })).toBeNull()
  fireEvent.click(screen.getByRole('tab', { name: 'Groups' }))
  fireEvent.click(screen.getByRole('button', { name: 'Show all chats' }))
  expect(screen.getByRole('tab', { name: 'All', selected: true })).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('tabpanel'))
})
