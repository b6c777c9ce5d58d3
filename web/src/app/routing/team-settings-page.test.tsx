import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { fakeBackend } from '../../../testing/fake-backend.ts'
import { TeamSettingsPage } from './team-settings-page.tsx'

const SETTINGS = {
  time_zone: 'America/New_York',
  registration: 'approval',
  email_domains: [],
  admins_need_second_factor: false,
  seen_by_enabled: true,
  app_errors_enabled: true,
}
const RESPONSES = {
  'GET /rest/v1/team_settings': { body: SETTINGS },
  'POST /rest/v1/rpc/setup_checklist': { body: [{ time_zone: true }] },
  'POST /rest/v1/rpc/setting_changes': { body: [] },
  'POST /rest/v1/rpc/vice_presidents': { body: [] },
  'POST /rest/v1/rpc/archive_retention': { body: [{ category: 'message', years: 6 }] },
}

test('a team decides everything on one page', async () => {
  fakeBackend(RESPONSES)
  renderScreen({ path: '/admin/settings', screen: <TeamSettingsPage /> })
  expect((await screen.findByLabelText<HTMLSelectElement>(/Who can join/)).value).toBe('approval')
  expect(screen.getByLabelText<HTMLSelectElement>(/Team time zone/).value).toBe('America/New_York')
  expect(screen.getByLabelText<HTMLSelectElement>('Messages and images').value).toBe('6')
  const switches = screen.getAllByRole<HTMLInputElement>('switch')
  expect(switches.map(({ checked }) => checked)).toEqual([false, true, true])
  expect(screen.getByText('None yet')).toBeTruthy()
})

test('settings that fail to load say so once, with a retry', async () => {
  let fails = true
  fakeBackend({
    ...RESPONSES,
    'GET /rest/v1/team_settings': () =>
      fails ? { status: 400, body: { code: 'X', message: 'no table' } } : { body: SETTINGS },
  })
  renderScreen({ path: '/admin/settings', screen: <TeamSettingsPage /> })
  expect(await screen.findByText(/Error loading the settings: no table/)).toBeTruthy()
  fails = false
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByLabelText(/Who can join/)).toBeTruthy()
})
