import { fireEvent, screen } from '@testing-library/react'
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

/** A team whose first answer is lost on the way, although the notice went out. */
function aTeamThatLosesTheFirstAnswer() {
  const ids = new Set<unknown>()
  const asked = fakeBackend({
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
}

test('a notice whose first answer was lost is sent once', async () => {
  const ids = aTeamThatLosesTheFirstAnswer()
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
  const ids = aTeamThatLosesTheFirstAnswer()
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
