import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { fakeBackend } from '../../../testing/fake-backend.ts'
import { NotificationSettingsForm } from './notification-settings-form.tsx'

const DEFAULTS = {
  messages: true,
  mentions: true,
  notices: true,
  quiet_from: null,
  quiet_to: null,
  time_zone: null,
  mentions_pass_quiet: true,
}
const CHOSEN = { ...DEFAULTS, quiet_from: '21:00:00', quiet_to: '07:00:00', time_zone: 'UTC' }

/** Stores what is saved as the table does, the first save once it is released. */
function draw(row?: typeof CHOSEN) {
  const stored: { row?: object } = row ? { row } : {}
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const calls = fakeBackend({
    'GET /rest/v1/notification_settings': () => ({ body: stored.row ? [stored.row] : [] }),
    'PATCH /rest/v1/notification_settings': async () => {
      const { body } = calls.at(-1)!
      if (saves().length === 1) await released
      if (stored.row) stored.row = { ...stored.row, ...body }
      return { body: stored.row ? [{ user_id: 'maya' }] : [] }
    },
    'POST /rest/v1/notification_settings': () => {
      stored.row = { ...DEFAULTS, ...calls.at(-1)!.body }
      return { status: 201 }
    },
  })
  const saves = () => calls.filter(({ method }) => method !== 'GET')
  renderScreen({ path: '/notifications', screen: <NotificationSettingsForm /> })
  return { stored, saves, release, reads: () => calls.length - saves().length }
}

const from = () => screen.findByLabelText<HTMLInputElement>('From')
const settingSwitch = (name: string) => screen.findByRole<HTMLInputElement>('switch', { name })

test('of two quick changes of a setting the last is stored and shown, however slow the first', async () => {
  const { stored, saves, release, reads } = draw(CHOSEN)
  fireEvent.change(await from(), { target: { value: '22:00' } })
  await waitFor(() => expect(saves()).toHaveLength(1))
  fireEvent.change(await from(), { target: { value: '22:30' } })
  await waitFor(async () => expect((await from()).value).toBe('22:30'))
  expect(saves()).toHaveLength(1)
  release()
  await waitFor(() => expect(reads()).toBe(2))
  expect(saves().map(({ body }) => body)).toEqual([
    { quiet_from: '22:00' },
    { quiet_from: '22:30' },
  ])
  expect(stored.row).toEqual({ ...CHOSEN, quiet_from: '22:30' })
  expect((await from()).value).toBe('22:30')
})

test('quick changes of different settings save only what was changed, and all of them hold', async () => {
  const { stored, saves, release, reads } = draw(CHOSEN)
  // Both in the same moment: the second is made on a screen that does not show the first yet.
  const [messages, mentions] = [
    await settingSwitch('Messages'),
    await settingSwitch('Mentions of me'),
  ]
  fireEvent.click(messages)
  fireEvent.click(mentions)
  await waitFor(() => expect([messages.checked, mentions.checked]).toEqual([false, false]))
  expect(saves()).toHaveLength(1)
  // On another device.
  stored.row = { ...stored.row, notices: false }
  release()
  await waitFor(() => expect(reads()).toBe(2))
  expect(saves().map(({ body }) => body)).toEqual([{ messages: false }, { mentions: false }])
  expect(stored.row).toEqual({ ...CHOSEN, messages: false, mentions: false, notices: false })
  await waitFor(() => expect([messages.checked, mentions.checked]).toEqual([false, false]))
})

test('the first choice of all adds the row, which the table fills with the defaults', async () => {
  const { stored, saves, release } = draw()
  release()
  fireEvent.click(await settingSwitch('Messages'))
  await waitFor(() => expect(saves().map(({ method }) => method)).toEqual(['PATCH', 'POST']))
  expect(Object.keys(saves()[1]!.body)).not.toContain('mentions')
  await waitFor(() => expect(stored.row).toMatchObject({ messages: false, mentions: true }))
  expect((await settingSwitch('Messages')).checked).toBe(false)
})
