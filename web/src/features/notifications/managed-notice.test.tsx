import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { fakeBackend } from '../../../testing/fake-backend.ts'
import { ManagedNotice } from './managed-notice.tsx'
import type { Notice } from './notice-queries.ts'
import { outcomeOf } from './remind-button.tsx'

const NOTICE: Notice = {
  id: 'n1',
  title: 'New rooms',
  body: '',
  link: null,
  audience: 'all',
  is_urgent: false,
  must_acknowledge: true,
  scheduled_for: null,
  published_at: new Date().toISOString(),
  cancelled_at: null,
  created_at: '2026-11-20T09:00:00Z',
  created_by: null,
  updated_at: null,
  updated_by: null,
}
const RESULTS = {
  recipients: 130,
  sent: 130,
  shown: 0,
  opened: 0,
  acknowledged: 0,
  failed: 0,
  uncertain: 0,
  waiting: 0,
}

test('everyone who has not acknowledged a notice can be listed, not only the first page', async () => {
  const people = Array.from({ length: 130 }, (_, each) => ({
    id: `u${each}`,
    first_name: 'Rep',
    last_name: `u${each}`,
    email: null,
    reminded_at: null,
  }))
  const asked = fakeBackend({
    'POST /rest/v1/rpc/notice_results': { body: RESULTS },
    'POST /rest/v1/rpc/notice_unacknowledged': () => {
      const { skip, max_results } = asked.at(-1)!.body as { skip: number; max_results: number }
      return { body: people.slice(skip, skip + max_results) }
    },
  })
  renderScreen({ path: '/', screen: <ManagedNotice names={undefined} notice={NOTICE} /> })
  fireEvent.click(await screen.findByRole('button', { name: 'Not acknowledged yet (130)' }))
  const list = await screen.findByRole('list')
  await within(list).findByText('Rep u0')
  expect(list.children).toHaveLength(50)
  expect(screen.getByText('50 of 130')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }))
  await within(list).findByText('Rep u99')
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }))
  await within(list).findByText('Rep u129')
  // In the server's order: what was shown stays where it is.
  expect(list.children[3]?.textContent).toBe('Rep u3')
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test.each(['/training', 'https://example.com/video'])('it leads to its link, %s', async (link) => {
  fakeBackend({ 'POST /rest/v1/rpc/notice_results': { body: RESULTS } })
  renderScreen({
    path: '/',
    screen: <ManagedNotice names={undefined} notice={{ ...NOTICE, link }} />,
  })
  expect((await screen.findByRole('link', { name: link })).getAttribute('href')).toBe(link)
})

test('results that cannot be loaded say so', async () => {
  fakeBackend({
    'POST /rest/v1/rpc/notice_results': { status: 400, body: { code: 'X', message: 'down' } },
  })
  renderScreen({ path: '/', screen: <ManagedNotice names={undefined} notice={NOTICE} /> })
  expect((await screen.findByRole('alert')).textContent).toBe('Error loading results: down')
})

test.each([
  [
    { reminded: 2, with_device: 0, with_mail: 2, reminded_just_now: 0 },
    '2 reminded in the app. 2 get an email tomorrow unless they acknowledge it first.',
  ],
  [
    { reminded: 1, with_device: 0, with_mail: 1, reminded_just_now: 0 },
    '1 reminded in the app. 1 gets an email tomorrow unless they acknowledge it first.',
  ],
  [
    { reminded: 25, with_device: 3, with_mail: 0, reminded_just_now: 0 },
    '25 reminded in the app, 3 of them on a device too.',
  ],
  [
    { reminded: 0, with_device: 0, with_mail: 0, reminded_just_now: 25 },
    'Already reminded less than a minute ago.',
  ],
  [
    { reminded: 0, with_device: 0, with_mail: 0, reminded_just_now: 0 },
    'Everyone has acknowledged it by now.',
  ],
])('a reminder says how it reached them, or why nobody: %o', (result, words) =>
  expect(outcomeOf(result)).toBe(words),
)
