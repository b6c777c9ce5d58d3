import 'fake-indexeddb/auto'
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetCopies } from '#data/kept/kept-queries.ts'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { aSession, fakeBackend } from '../../../testing/fake-backend.ts'
import { keepFor } from '../../../testing/kept-copies.ts'
import { NotificationList } from './notification-list.tsx'
import { notificationsQuery } from './notification-queries.ts'

const aNotice = (n: number) => ({
  kind: 'notice',
  id: `notice ${n}`,
  chat_id: null,
  title: `Notice ${n}`,
  body: '',
  link: null,
  at: '2026-11-20T09:00:00Z',
  is_unread: false,
  is_urgent: false,
  must_acknowledge: false,
  acknowledged_at: null,
  reminded_at: null,
})

const inbox = (...notices: object[]) => ({ pages: [notices], pageParams: [undefined] })

beforeEach(async () => {
  await forgetCopies()
  localStorage.setItem('member-session', JSON.stringify(aSession()))
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'key' })
})

afterEach(() => void vi.restoreAllMocks())

function open(responses: Parameters<typeof fakeBackend>[0]) {
  fakeBackend({ 'POST /rest/v1/rpc/mark_notices_shown': {}, ...responses })
  renderScreen({ path: '/notifications', screen: <NotificationList /> })
}

test('with a slow server what was read before shows at once, and the response replaces it', async () => {
  await keepFor(notificationsQuery('maya'), inbox(aNotice(1)))
  let respond = () => {}
  const slow = new Promise<void>((resolve) => (respond = resolve))
  open({
    'POST /rest/v1/rpc/my_notifications': () => slow.then(() => ({ body: [aNotice(2)] })),
  })
  expect(await screen.findByText('Notice 1')).toBeTruthy()
  expect(screen.queryByText(/You're offline/)).toBeNull()
  respond()
  expect(await screen.findByText('Notice 2')).toBeTruthy()
  expect(screen.queryByText('Notice 1')).toBeNull()
})

test.each([
  ['offline', false, /^You're offline. Last updated/],
  ['while the server is down', true, /^The server isn't answering. Last updated/],
])('%s what was read before is there, with its age', async (_when, isOnline, note) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
  await keepFor(notificationsQuery('maya'), inbox(aNotice(1)))
  open({
    'POST /rest/v1/rpc/my_notifications': () => Promise.reject(new TypeError('Failed to fetch')),
  })
  expect(await screen.findByText('Notice 1')).toBeTruthy()
  expect(await screen.findByText(note)).toBeTruthy()
})

test('offline an empty inbox says how old that is', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await keepFor(notificationsQuery('maya'), inbox())
  open({
    'POST /rest/v1/rpc/my_notifications': () => Promise.reject(new TypeError('Failed to fetch')),
  })
  expect(await screen.findByText(/^You're offline. Last updated/)).toBeTruthy()
  expect(screen.getByText("You're all caught up")).toBeTruthy()
})

test('further pages follow the first', async () => {
  const pages = [Array.from({ length: 50 }, (_, n) => aNotice(n)), [aNotice(50)]]
  open({ 'POST /rest/v1/rpc/my_notifications': () => ({ body: pages.shift() }) })
  fireEvent.click(await screen.findByRole('button', { name: 'Show more' }))
  expect(await screen.findByText('Notice 50')).toBeTruthy()
  expect(screen.getByText('Notice 0')).toBeTruthy()
})
