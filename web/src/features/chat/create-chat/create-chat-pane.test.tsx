import 'fake-indexeddb/auto'
import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '#data/query-client.ts'
import { aMember } from '#features/chat/model/chat-builders.ts'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { aSession, fakeBackend } from '../../../../testing/fake-backend.ts'
import { CreateChatPane } from './create-chat-pane.tsx'

const PROFILE = { id: 'maya', email: 'maya@example.com', role: 'user' }
const NO_LUCK = { status: 400, body: { message: 'No luck' } }
const alerts = vi.fn()

beforeEach(() => {
  alerts.mockClear()
  vi.stubGlobal('alert', alerts)
  queryClient.clear()
})

function openPane(responses: Parameters<typeof fakeBackend>[0] = {}) {
  fakeBackend({
    ...responses,
    'GET /rest/v1/users?': { body: PROFILE },
    'POST /rest/v1/rpc/search_members': { body: [aMember()] },
    ...responses,
  })
  localStorage.setItem('member-session', JSON.stringify(aSession()))
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'key' })
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/chat/create']}>
        <Routes>
          <Route path="/chat/create" element={<CreateChatPane />} />
          <Route path="/chat" element={<p>The list</p>} />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

const submit = () => screen.findByRole('button', { name: 'Send & Create Chat' })

test('the button is off while something is missing, and pressing it anyway says what', async () => {
  openPane()
  const button = await submit()
  expect(button.getAttribute('aria-disabled')).toBe('true')
  fireEvent.click(button)
  expect(alerts).toHaveBeenCalledExactlyOnceWith('Please select at least one team member')
})

test('members that cannot be loaded show an error', async () => {
  openPane({ 'POST /rest/v1/rpc/search_members': NO_LUCK })
  await waitFor(() =>
    expect(alerts).toHaveBeenCalledExactlyOnceWith('Error loading users: No luck'),
  )
})

test('a member who loses the permission with the form open is alerted and sent to the list', async () => {
  openPane()
  await submit()
  act(() => {
    queryClient.setQueriesData(
      { queryKey: ['users', 'own'] },
      { ...PROFILE, can_create_chats: false },
    )
  })
  expect(await screen.findByText('The list')).toBeTruthy()
  expect(alerts).toHaveBeenCalledExactlyOnceWith('You do not have permission to create chats.')
})

test('while permissions cannot be loaded everything is offered, and the database decides', async () => {
  openPane({ 'GET /rest/v1/users?': NO_LUCK })
  expect(await submit()).toBeTruthy()
  expect(alerts).not.toHaveBeenCalled()
})

test('offline, the form says so instead of loading for ever', async () => {
  onlineManager.setOnline(false)
  openPane({
    'GET /rest/v1/users?': () => Promise.reject(new TypeError('Failed to fetch')),
    'POST /rest/v1/rpc/search_members': () => Promise.reject(new TypeError('Failed to fetch')),
  })
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Send & Create Chat' })).toBeTruthy()
  onlineManager.setOnline(true)
})

test('a chat that was begun is still there after leaving the screen', async () => {
  openPane()
  const message = () => screen.findByLabelText<HTMLTextAreaElement>('First message')
  fireEvent.change(await message(), { target: { value: 'Welcome aboard' } })
  cleanup()
  openPane()
  expect((await message()).value).toBe('Welcome aboard')
})
