import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { drawScreen } from '../../../testing/draw-screen.tsx'
import { fakeBackend } from '../../../testing/fake-backend.ts'
import { TeamTimeZone } from './team-time-zone.tsx'

test('a time zone that cannot be loaded says so, and can be asked for again', async () => {
  const answers = [{ status: 400, body: { code: 'X', message: 'no table' } }]
  fakeBackend({
    'GET /rest/v1/team_settings': () =>
      answers.pop() ?? { body: { time_zone: 'America/New_York' } },
  })
  drawScreen({ path: '/admin-manage', screen: <TeamTimeZone /> })
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Error loading the time zone: no table',
  )
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  const field = await screen.findByLabelText<HTMLSelectElement>(/time zone/i)
  expect(field.value).toBe('America/New_York')
})
