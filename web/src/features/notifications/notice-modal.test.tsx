import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { fakeBackend } from '../../../testing/fake-backend.ts'
import { NoticeModal } from './notice-modal.tsx'

const onClose = vi.fn()
const alert = vi.fn<(text: string) => void>()
beforeEach(() => {
  onClose.mockClear()
  alert.mockClear()
  vi.stubGlobal('alert', alert)
})

/** A team whose first response is lost on the way, although the notice went out. */
function aTeamThatLosesTheFirstResponse() {
  const ids = new Set<unknown>()
  const asked = fakeBackend({
    'POST /rest/v1/rpc/count_notice_recipients': { body: 25 },
    'POST /rest/v1/team_notices': () => {
      const { id } = asked.at(-1)!.body as { id: string }
      const isNew = !ids.has(id)
      ids.add(id)
      if (ids.size === 1 && isNew) return { status: 503, body: { message: 'Try again' } }
      return { body: isNew ? [{ id }] : [] }
    },
  })
  return ids
}

function write(title: string) {
  fireEvent.change(screen.getByLabelText('Title'), { target: { value: title } })
}

async function send() {
  fireEvent.click(await screen.findByRole('button', { name: 'Send now' }))
  const question = await screen.findByRole('alertdialog', { name: 'Send to 25 people?' })
  fireEvent.click(within(question).getByRole('button', { name: 'Send now' }))
}

test('nothing goes out before the admin has read to how many and to whom', async () => {
  const calls = fakeBackend({
    'POST /rest/v1/rpc/count_notice_recipients': { body: 2 },
    'POST /rest/v1/team_notices': { body: [{ id: 'new' }] },
  })
  renderScreen({ path: '/', screen: <NoticeModal onClose={onClose} /> })
  write('New rooms')
  fireEvent.change(screen.getByLabelText('To'), { target: { value: 'role' } })
  fireEvent.change(screen.getByLabelText('A role'), { target: { value: 'admin' } })
  fireEvent.click(screen.getByLabelText('Urgent: send during quiet hours too'))
  fireEvent.click(screen.getByRole('button', { name: 'Send now' }))
  const question = await screen.findByRole('alertdialog', { name: 'Send to 2 people?' })
  expect(within(question).getByText(/“New rooms” goes to all admins. It is urgent:/)).toBeTruthy()
  expect(calls.map(({ body }) => body)).toEqual([
    { audience: 'role', audience_role: 'admin', audience_members: [] },
  ])
  fireEvent.click(within(question).getByRole('button', { name: 'Cancel' }))
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('New rooms')
  expect(onClose).not.toHaveBeenCalled()
})

test('an audience of nobody is said so', async () => {
  fakeBackend({ 'POST /rest/v1/rpc/count_notice_recipients': { body: 0 } })
  renderScreen({ path: '/', screen: <NoticeModal onClose={onClose} /> })
  write('New rooms')
  fireEvent.click(screen.getByRole('button', { name: 'Send now' }))
  const question = await screen.findByRole('alertdialog', { name: 'Send to nobody?' })
  expect(within(question).getByText(/^Nobody but you would get “New rooms” now/)).toBeTruthy()
})

test('a notice for later goes without a question', async () => {
  const calls = fakeBackend({ 'POST /rest/v1/team_notices': { body: [{ id: 'new' }] } })
  renderScreen({ path: '/', screen: <NoticeModal onClose={onClose} /> })
  write('New rooms')
  fireEvent.change(screen.getByLabelText(/^Send at/), { target: { value: '2099-12-01T10:00' } })
  fireEvent.click(screen.getByRole('button', { name: 'Schedule' }))
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(calls).toHaveLength(1)
})

test('a notice whose first response was lost is sent once', async () => {
  const ids = aTeamThatLosesTheFirstResponse()
  renderScreen({ path: '/', screen: <NoticeModal onClose={onClose} /> })
  write('New rooms')
  await send()
  await vi.waitFor(() => expect(alert).toHaveBeenCalledTimes(1))
  expect(onClose).not.toHaveBeenCalled()
  await send()
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(ids.size).toBe(1)
})

test('if the first try went out and the text has changed since, the admin is told, and may send both', async () => {
  const ids = aTeamThatLosesTheFirstResponse()
  renderScreen({ path: '/', screen: <NoticeModal onClose={onClose} /> })
  write('New rooms')
  await send()
  await vi.waitFor(() => expect(alert).toHaveBeenCalledTimes(1))
  write('New rooms on Monday')
  await send()
  await vi.waitFor(() =>
    expect(alert).toHaveBeenLastCalledWith(expect.stringContaining('already sent this notice')),
  )
  expect(onClose).not.toHaveBeenCalled()
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('New rooms on Monday')
  await send()
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(ids.size).toBe(2)
})
