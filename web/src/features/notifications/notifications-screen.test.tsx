import 'fake-indexeddb/auto'
import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { forgetCopies } from '#data/kept/kept-queries.ts'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { fakeBackend, signedIn } from '../../../testing/fake-backend.ts'
import { NotificationsScreen } from './notifications-screen.tsx'

const aNotice = (at: string, is_unread: boolean) => ({
  kind: 'notice',
  id: `notice ${at}`,
  chat_id: null,
  title: `Notice ${at}`,
  body: '',
  link: null,
  at,
  is_unread,
  is_urgent: false,
  must_acknowledge: false,
  acknowledged_at: null,
  reminded_at: null,
})

beforeEach(async () => {
  await signedIn()
  await forgetCopies()
})

async function open(notices: unknown[], unread: number) {
  const asked = fakeBackend({
    'POST /rest/v1/rpc/my_notifications': { body: notices },
    'POST /rest/v1/rpc/unread_notification_count': { body: unread },
    'POST /rest/v1/rpc/mark_notices_shown': {},
    'POST /rest/v1/rpc/mark_notifications_read': {},
  })
  renderScreen({ path: '/notifications', screen: <NotificationsScreen /> })
  await screen.findByText(/^Notice/, { selector: 'h2' })
  return asked
}

const markAll = () => screen.queryByRole('button', { name: 'Mark all as read' })

test('all is marked as read up to the newest notification on the screen', async () => {
  const asked = await open([aNotice('2026-11-20T09:00:00.123456Z', true)], 3)
  fireEvent.click(markAll()!)
  await vi.waitFor(() =>
    expect(asked).toContainEqual(
      expect.objectContaining({
        body: {
          until: '2026-11-20T09:00:00.123456Z',
          notice_ids: ['notice 2026-11-20T09:00:00.123456Z'],
        },
      }),
    ),
  )
})

test('where nothing is unread, there is nothing to mark', async () => {
  await open([aNotice('2026-11-20T09:00:00Z', false)], 0)
  expect(markAll()).toBeNull()
})

test('what is unread further down can be marked, too', async () => {
  await open([aNotice('2026-11-20T09:00:00Z', false)], 1)
  await vi.waitFor(() => expect(markAll()).toBeTruthy())
})
