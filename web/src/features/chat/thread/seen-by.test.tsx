import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderScreen } from '../../../../testing/draw-screen.tsx'
import { fakeBackend } from '../../../../testing/fake-backend.ts'
import { SeenBy } from './seen-by.tsx'

const readers = Array.from({ length: 70 }, (_, n) => ({
  id: `member ${n}`,
  first_name: `Reader${n}`,
  last_name: 'Shah',
  seen_at: '2026-11-20T09:00:00Z',
  total: 70,
}))

test('everyone who has seen a message can be reached, page by page', async () => {
  const calls = fakeBackend({
    'POST /rest/v1/rpc/message_seen_by': () => {
      const { max_results, skip = 0 } = calls.at(-1)!.body as { max_results: number; skip?: number }
      return { body: readers.slice(skip, skip + max_results) }
    },
  })
  renderScreen({ path: '/chat', screen: <SeenBy messageId="message" isOfTwo={false} /> })
  fireEvent.click(await screen.findByRole('button', { name: 'Seen by 70' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByText('Reader49 Shah')).toBeTruthy()
  expect(dialog.getByText('50 of 70')).toBeTruthy()
  expect(dialog.queryByText('Reader50 Shah')).toBeNull()
  fireEvent.click(dialog.getByRole('button', { name: 'Show more' }))
  expect(await dialog.findByText('Reader69 Shah')).toBeTruthy()
  expect(dialog.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('in a chat of two nobody is counted', async () => {
  fakeBackend({
    'POST /rest/v1/rpc/message_seen_by': () => ({ body: [{ ...readers[0], total: 1 }] }),
  })
  renderScreen({ path: '/chat', screen: <SeenBy messageId="message" isOfTwo /> })
  fireEvent.click(await screen.findByRole('button', { name: 'Seen' }))
  expect(await within(await screen.findByRole('dialog')).findByText('Reader0 Shah')).toBeTruthy()
})
