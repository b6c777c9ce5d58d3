import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { fakeBackend, signedIn } from '../../../testing/fake-backend.ts'
import { NotificationCard } from './notification-card.tsx'
import type { Notification } from './notification-queries.ts'

const NOTICE: Notification = {
  kind: 'notice',
  id: 'n1',
  chat_id: null,
  title: 'New rooms',
  body: '',
  link: null,
  at: '2026-11-20T10:00:00Z',
  is_unread: true,
  is_urgent: false,
  must_acknowledge: false,
  acknowledged_at: null,
  reminded_at: null,
  author: null,
}

function draw(changes: Partial<Notification>) {
  const notification = { ...NOTICE, ...changes }
  renderScreen({ path: '/notifications', screen: <NotificationCard notification={notification} /> })
}

const buttons = () => screen.queryAllByRole('button').map(({ textContent }) => textContent)

test('a notice that must be acknowledged is acknowledged by its button', async () => {
  await signedIn()
  const asked = fakeBackend({ 'POST /rest/v1/rpc/acknowledge_notice': {} })
  draw({ must_acknowledge: true, link: '/schedule' })
  fireEvent.click(screen.getByRole('button', { name: 'Acknowledge' }))
  await waitFor(() => expect(asked.map(({ body }) => body)).toEqual([{ notice_id: 'n1' }]))
})

test('a notice says who wrote it', () => {
  draw({ author: 'Dana Reyes' })
  expect(screen.getByText(/^From Dana Reyes/)).toBeTruthy()
})

test('an acknowledged notice says so and has no more buttons', () => {
  draw({ must_acknowledge: true, acknowledged_at: '2026-11-20T11:00:00Z' })
  expect(screen.getByText('Acknowledged')).toBeTruthy()
  expect(buttons()).toEqual([])
})

test('a notice without acknowledgment or link is marked as read', () => {
  draw({})
  expect(buttons()).toEqual(['Mark as read'])
})

test('a notice with a link is read by opening it', async () => {
  const asked = fakeBackend({ 'POST /rest/v1/rpc/mark_notice_opened': {} })
  draw({ link: '/schedule' })
  expect(buttons()).toEqual([])
  fireEvent.click(screen.getByRole('link', { name: /New rooms$/ }))
  expect(await screen.findByText('at /schedule')).toBeTruthy()
  await waitFor(() => expect(asked).toHaveLength(1))
})

test('an external link opens a new window', () => {
  draw({ link: 'https://example.com/' })
  expect(screen.getByRole('link').getAttribute('target')).toBe('_blank')
})

test('a mention leads to its chat and is not counted as opened', async () => {
  const asked = fakeBackend({})
  draw({ kind: 'mention', title: 'Ben', link: '/chat/c1', chat_id: 'c1' })
  expect(screen.getByRole('heading', { name: 'Ben mentioned you' })).toBeTruthy()
  fireEvent.click(screen.getByRole('link', { name: /Ben$/ }))
  expect(await screen.findByText('at /chat/c1')).toBeTruthy()
  expect(asked).toEqual([])
})

test('a refused acknowledgment shows an error and can be retried', async () => {
  const alert = vi.fn()
  vi.stubGlobal('alert', alert)
  await signedIn()
  fakeBackend({
    'POST /rest/v1/rpc/acknowledge_notice': { status: 403, body: { code: '42501', message: 'no' } },
  })
  draw({ must_acknowledge: true })
  fireEvent.click(screen.getByRole('button', { name: 'Acknowledge' }))
  await waitFor(() => expect(alert).toHaveBeenCalledWith('Error saving notifications: no'))
  expect(buttons()).toEqual(['Acknowledge'])
})

test('somebody who waits to be let in is named with who invited them, and opening it says that it was seen', async () => {
  const asked = fakeBackend({ 'POST /rest/v1/rpc/mark_newcomers_seen': {} })
  draw({ kind: 'newcomer', title: 'Sam Lee', body: 'Dana Reyes', link: '/admin/members' })
  expect(screen.getByRole('heading', { name: 'Sam Lee is waiting to join' })).toBeTruthy()
  expect(screen.getByText('Invited by Dana Reyes')).toBeTruthy()
  expect(buttons()).toEqual([])
  fireEvent.click(screen.getByRole('link', { name: /Sam Lee/ }))
  await waitFor(() => expect(asked).toHaveLength(1))
})

test('somebody who came by themselves is named alone', () => {
  draw({ kind: 'newcomer', title: 'Sam Lee', body: '', link: '/admin/members' })
  expect(screen.queryByText(/Invited by/)).toBeNull()
})
