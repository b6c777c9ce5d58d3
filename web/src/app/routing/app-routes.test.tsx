import 'fake-indexeddb/auto'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter, useLocation } from 'react-router'
import { beforeEach, expect, test, vi } from 'vitest'
import { AppRoutes } from '#app/app.tsx'
import { noteAdmin, wasAdmin } from '#data/kept/device-data.ts'
import { queryClient } from '#data/query-client.ts'
import { signOut } from '#data/session/session.ts'
import { ownProfileQuery } from '#domain/own-profile.ts'
import { getReturnTo } from '#lib/return-to.ts'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { aSession, fakeBackend } from '../../../testing/fake-backend.ts'
import { keepFor, keptOf } from '../../../testing/kept-copies.ts'

// These belong to other features, and each keeps a connection open.
vi.mock('#app/notifications/use-live-content.ts', () => ({ useLiveContent: () => {} }))
vi.mock('#features/chat/live/use-unread-count.ts', () => ({ useUnreadCount: () => 120 }))
// Prefetches may arrive after the test that started them.
vi.mock('./use-preloaded-tabs.ts', () => ({ usePreloadedTabs: () => {} }))
vi.mock('./use-preloaded-screens.ts', () => ({ usePreloadedScreens: () => {} }))

const MAYA = { id: 'maya', email: 'maya@example.com', first_name: 'Maya', role: 'user' }
const SIGNED_IN = {
  'GET /auth/v1/user': { body: { id: 'maya' } },
  'POST /auth/v1/logout': {},
  'POST /rest/v1/rpc/my_membership': {
    body: [{ status: 'active', refusal: null, has_admin: true, takes_set_up_code: false }],
  },
  'GET /rest/v1/users?select=*': { body: MAYA },
}

beforeEach(() => queryClient.clear())

function open(
  path: string,
  { role, isSignedIn = true }: { role?: string; isSignedIn?: boolean } = {},
) {
  fakeBackend({ ...SIGNED_IN, 'GET /rest/v1/users?select=*': { body: { ...MAYA, role } } })
  if (isSignedIn) localStorage.setItem('member-session', JSON.stringify(aSession()))
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  render(
    <MemoryRouter initialEntries={[path]}>
      <AppRoutes />
      <Whereabouts />
    </MemoryRouter>,
  )
}

const Whereabouts = () => <p>at {useLocation().pathname}</p>

test('a signed-out visitor lands on the login, and the requested page is remembered', async () => {
  open('/notifications?from=push', { isSignedIn: false })
  await screen.findByRole('heading', { name: 'Welcome back' })
  expect(screen.getByText('at /')).toBeTruthy()
  expect(getReturnTo().path).toBe('/notifications?from=push')
})

test.each(['//evil.example', '/\\evil.example'])(
  'an address that browsers read as another site stays one of the app after the login: %s',
  async (path) => {
    open(path, { isSignedIn: false })
    await screen.findByRole('heading', { name: 'Welcome back' })
    expect(getReturnTo().path).toBe('/evil.example')
  },
)

test('an address without a page says so, and leads Home', async () => {
  open('/leaderboard')
  await screen.findByRole('heading', { name: 'Page not found' })
  fireEvent.click(screen.getByRole('link', { name: 'Back to Home' }))
  await screen.findByText('at /home')
})

test('who is signed in and opens /login is on Home', async () => {
  open('/login')
  await screen.findByText('at /home')
})

test('losing the session on any screen leads to the login, and back after it', async () => {
  open('/leaderboard')
  await screen.findByRole('heading', { name: 'Page not found' })
  const { auth } = await import('#data/session/auth.ts')
  await act(async () => (await auth()).signOut({ scope: 'local' }))
  await screen.findByRole('heading', { name: 'Welcome back' })
  expect(getReturnTo().path).toBe('/leaderboard')
})

test('after logging out on purpose the next login starts at Home', async () => {
  open('/leaderboard')
  await screen.findByRole('heading', { name: 'Page not found' })
  await act(() => signOut('local'))
  await screen.findByRole('heading', { name: 'Welcome back' })
  expect(getReturnTo().path).toBe('/home')
})

test('a member who is not an admin is sent from the admin pages to Home', async () => {
  open('/admin', { role: 'user' })
  await screen.findByText('at /home')
})

test('the unread badge shows and says 99+ above 99: the server counts no further', async () => {
  open('/notifications')
  const link = await screen.findByRole('link', { name: /Chat/ })
  expect(link.textContent).toBe('99+99+ unreadChat')
})

test('who was an admin when the app was last used here and is none any more is sent Home too, and nothing kept by that right stays', async () => {
  const systemStatus = { queryKey: ['system_status', 'maya'] }
  noteAdmin('maya', true)
  await keepFor(systemStatus, 'All is well')
  open('/admin', { role: 'user' })
  await screen.findByText('at /home')
  expect(wasAdmin('maya')).toBe(false)
  await vi.waitFor(async () => expect(await keptOf(systemStatus)).toBeUndefined())
})

test('a profile that comes after the admin has logged out is not noted on the device', async () => {
  open('/notifications', { role: 'admin' })
  await vi.waitFor(() => expect(wasAdmin('maya')).toBe(true))
  await act(() => signOut('local'))
  await screen.findByRole('heading', { name: 'Welcome back' })
  await vi.waitFor(() => expect(wasAdmin('maya')).toBe(false))
  await queryClient.fetchQuery(ownProfileQuery('maya'))
  expect(wasAdmin('maya')).toBe(false)
})

test('More opens Licensing, Training, Calculator and Profile, which the rail has itself, and Admin for admins only', async () => {
  open('/notifications', { role: 'user' })
  const more = await screen.findByRole('button', { name: 'More' })
  expect(more.getAttribute('aria-expanded')).toBe('false')
  const names = ['Licensing', 'Training', 'Calculator', 'Profile']
  const countOf = (name: string) => screen.queryAllByRole('link', { name }).length
  expect(names.map(countOf)).toEqual([1, 1, 1, 1])
  fireEvent.click(more)
  expect(names.map(countOf)).toEqual([2, 2, 2, 2])
  expect(countOf('Admin')).toBe(0)
  fireEvent.keyDown(document, { key: 'Escape' })
  expect(countOf('Profile')).toBe(1)
})

test('an admin finds Admin in the rail, and under More on a phone', async () => {
  open('/notifications', { role: 'admin' })
  await screen.findByRole('link', { name: 'Admin' })
  fireEvent.click(await screen.findByRole('button', { name: 'More' }))
  expect(await screen.findAllByRole('link', { name: 'Admin' })).toHaveLength(2)
})

test('a tapped push notification opens its chat', async () => {
  open('/create-account', { isSignedIn: false })
  await screen.findByRole('heading', { name: 'Create Account' })
  act(() => {
    window.dispatchEvent(new CustomEvent('navigate-to-chat', { detail: { chatId: 'squad' } }))
  })
  await screen.findByText('at /')
  expect(getReturnTo().path).toBe('/chat/squad')
})
