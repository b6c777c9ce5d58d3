import 'fake-indexeddb/auto'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter, useLocation } from 'react-router'
import { beforeEach, expect, test, vi } from 'vitest'
import { askedPage } from '#lib/asked-page.ts'
import { queryClient } from '#lib/query-client.ts'
import { signOut } from '#lib/session.ts'
import { connectSupabase } from '#lib/supabase-connection.ts'
import { aSession, fakeBackend } from '../../testing/fake-backend.ts'
import { AppRoutes } from './app.tsx'

// These belong to other areas, and each keeps a connection open.
vi.mock('./use-live-content.ts', () => ({ useLiveContent: () => {} }))
vi.mock('./chat-badge.ts', () => ({ useChatBadge: () => 120 }))
// What is fetched early may arrive after the test that asked for it.
vi.mock('./use-preloaded-tabs.ts', () => ({ usePreloadedTabs: () => {} }))
vi.mock('./use-preloaded-next.ts', () => ({ usePreloadedNext: () => {} }))

const MAYA = { id: 'maya', email: 'maya@example.com', first_name: 'Maya', role: 'user' }
const SIGNED_IN = {
  'GET /auth/v1/user': { body: { id: 'maya' } },
  'POST /auth/v1/logout': {},
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

test('a signed-out visitor lands on the login, and the page asked for is remembered', async () => {
  open('/notifications?from=push', { isSignedIn: false })
  await screen.findByRole('heading', { name: 'Welcome back' })
  expect(screen.getByText('at /')).toBeTruthy()
  expect(askedPage().path).toBe('/notifications?from=push')
})

test('a tab without a page says Coming Soon', async () => {
  open('/leaderboard')
  await screen.findByRole('heading', { name: 'Coming Soon' })
  expect(screen.getByText('This section is under development')).toBeTruthy()
})

test('losing the session on any screen leads to the login, and back after it', async () => {
  open('/leaderboard')
  await screen.findByRole('heading', { name: 'Coming Soon' })
  const { auth } = await import('#lib/auth.ts')
  await act(() => auth.signOut({ scope: 'local' }))
  await screen.findByRole('heading', { name: 'Welcome back' })
  expect(askedPage().path).toBe('/leaderboard')
})

test('after logging out on purpose the next login starts at Home', async () => {
  open('/leaderboard')
  await screen.findByRole('heading', { name: 'Coming Soon' })
  await act(() => signOut('local'))
  await screen.findByRole('heading', { name: 'Welcome back' })
  expect(askedPage().path).toBe('/home')
})

test('a member who is no admin is sent from the admin pages to Home', async () => {
  open('/admin', { role: 'user' })
  await screen.findByText('at /home')
})

test('the unread badge shows 99+ above 99', async () => {
  open('/notifications')
  const link = await screen.findByRole('link', { name: /Chat/ })
  expect(link.textContent).toContain('99+')
  expect(link.textContent).toContain('120 unread')
})

test('More opens Licensing, Training, Calculator and Profile, and Admin for admins only', async () => {
  open('/notifications', { role: 'user' })
  const more = await screen.findByRole('button', { name: 'More' })
  expect(more.getAttribute('aria-expanded')).toBe('false')
  fireEvent.click(more)
  const names = ['Licensing', 'Training', 'Calculator', 'Profile']
  for (const name of names) expect(screen.getByRole('link', { name })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Admin' })).toBeNull()
  fireEvent.keyDown(document, { key: 'Escape' })
  expect(screen.queryByRole('link', { name: 'Profile' })).toBeNull()
})

test('an admin finds Admin under More', async () => {
  open('/notifications', { role: 'admin' })
  fireEvent.click(await screen.findByRole('button', { name: 'More' }))
  expect(await screen.findByRole('link', { name: 'Admin' })).toBeTruthy()
})

test('a tapped push notification opens its chat', async () => {
  open('/create-account', { isSignedIn: false })
  await screen.findByRole('heading', { name: 'Create Account' })
  act(() => {
    window.dispatchEvent(new CustomEvent('navigate-to-chat', { detail: { chatId: 'squad' } }))
  })
  await screen.findByText('at /')
  expect(askedPage().path).toBe('/chat/squad')
})
