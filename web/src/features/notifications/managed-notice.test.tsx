import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { drawScreen } from '../../../testing/draw-screen.tsx'
import { fakeBackend } from '../../../testing/fake-backend.ts'
import { ManagedNotice } from './managed-notice.tsx'
import type { Notice } from './notice-queries.ts'

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

test('all who have not acknowledged a notice can be seen, not only the first', async () => {
  const ids = Array.from({ length: 130 }, (_, each) => ({ user_id: `u${each}` }))
  const asked = fakeBackend({
    'POST /rest/v1/rpc/notice_results': { body: RESULTS },
    'GET /rest/v1/notice_receipts': () => {
      const search = new URLSearchParams(asked.at(-1)?.path.split('?')[1])
      const [from, most] = [Number(search.get('offset') ?? 0), Number(search.get('limit'))]
      return { body: ids.slice(from, from + most) }
    },
    'GET /rest/v1/users': () => {
      const wanted = /in\.\((.*?)\)/.exec(decodeURIComponent(asked.at(-1)?.path ?? ''))?.[1] ?? ''
      const member = (id: string) => ({ id, first_name: 'Rep', last_name: id, email: '' })
      return { body: wanted.split(',').map(member) }
    },
  })
  drawScreen({ path: '/', screen: <ManagedNotice notice={NOTICE} /> })
  fireEvent.click(await screen.findByRole('button', { name: 'Who has not' }))
  const list = await screen.findByRole('list')
  await within(list).findByText('Rep u0')
  expect(list.children).toHaveLength(100)
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }))
  await within(list).findByText('Rep u129')
  expect(list.children).toHaveLength(130)
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('results that cannot be loaded say so', async () => {
  fakeBackend({
    'POST /rest/v1/rpc/notice_results': { status: 400, body: { code: 'X', message: 'down' } },
  })
  drawScreen({ path: '/', screen: <ManagedNotice notice={NOTICE} /> })
  expect((await screen.findByRole('alert')).textContent).toBe('Error loading results: down')
})
