import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { fakeBackend } from '../../../testing/fake-backend.ts'
import { TeamTimeZone } from './team-time-zone.tsx'

const CONFIRMED = { 'POST /rest/v1/rpc/setup_checklist': { body: [{ time_zone: true }] } }

test('a time zone that fails to load shows an error with a retry', async () => {
  const answers = [{ status: 400, body: { code: 'X', message: 'no table' } }]
  fakeBackend({
    ...CONFIRMED,
    'GET /rest/v1/team_settings': () =>
      answers.pop() ?? { body: { time_zone: 'America/New_York' } },
  })
  renderScreen({ path: '/admin-manage', screen: <TeamTimeZone /> })
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Error loading the time zone: no table',
  )
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  const field = await screen.findByLabelText<HTMLSelectElement>(/time zone/i)
  expect(field.value).toBe('America/New_York')
})

test('US zones come first, and moving all meetings asks before it does', async () => {
  const asked = fakeBackend({
    ...CONFIRMED,
    'GET /rest/v1/team_settings': { body: { time_zone: 'America/New_York' } },
    'PATCH /rest/v1/team_settings': { status: 204 },
  })
  renderScreen({ path: '/admin-manage', screen: <TeamTimeZone /> })
  const field = await screen.findByLabelText<HTMLSelectElement>(/time zone/i)
  expect(field.options[0]?.text).toBe('Eastern Time (New York)')
  expect(field.options[1]?.value).toBe('America/Chicago')
  const patches = () => asked.filter(({ method }) => method === 'PATCH')
  for (const answer of ['Cancel', 'Move meetings']) {
    expect(patches()).toEqual([])
    fireEvent.change(field, { target: { value: 'America/Chicago' } })
    await screen.findByRole('alertdialog')
    fireEvent.click(screen.getByRole('button', { name: answer }))
  }
  await waitFor(() => expect(patches()[0]?.body).toEqual({ time_zone: 'America/Chicago' }))
})

test('the zone a team starts with is asked about until somebody confirms it', async () => {
  let isConfirmed = false
  const asked = fakeBackend({
    'POST /rest/v1/rpc/setup_checklist': () => ({ body: [{ time_zone: isConfirmed }] }),
    'GET /rest/v1/team_settings': { body: { time_zone: 'America/New_York' } },
    'PATCH /rest/v1/team_settings': () => {
      isConfirmed = true
      return { status: 204 }
    },
  })
  renderScreen({ path: '/admin-manage', screen: <TeamTimeZone /> })
  fireEvent.click(await screen.findByRole('button', { name: "Yes, it's Eastern Time (New York)" }))
  await waitFor(() => expect(screen.queryByRole('button')).toBeNull())
  expect(asked.find(({ method }) => method === 'PATCH')?.body).toEqual({
    time_zone: 'America/New_York',
  })
})
