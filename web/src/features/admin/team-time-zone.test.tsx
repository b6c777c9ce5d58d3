import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { fakeBackend } from '../../../testing/fake-backend.ts'
import { TeamTimeZone } from './team-time-zone.tsx'

test('US zones come first, and moving all meetings asks before it does', async () => {
  const asked = fakeBackend({
    'PATCH /rest/v1/team_settings': { body: [{ id: true }] },
  })
  renderScreen({
    path: '/admin/settings',
    screen: <TeamTimeZone zone="America/New_York" isConfirmed />,
  })
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
  const asked = fakeBackend({ 'PATCH /rest/v1/team_settings': { body: [{ id: true }] } })
  renderScreen({
    path: '/admin/settings',
    screen: <TeamTimeZone zone="America/New_York" isConfirmed={false} />,
  })
  fireEvent.click(await screen.findByRole('button', { name: "Yes, it's Eastern Time (New York)" }))
  await waitFor(() =>
    expect(asked.find(({ method }) => method === 'PATCH')?.body).toEqual({
      time_zone: 'America/New_York',
    }),
  )
})

test('an admin demoted meanwhile sees that the time zone was not changed', async () => {
  const alerts = vi.spyOn(window, 'alert').mockReturnValue()
  fakeBackend({ 'PATCH /rest/v1/team_settings': { body: [] } })
  renderScreen({
    path: '/admin/settings',
    screen: <TeamTimeZone zone="America/New_York" isConfirmed={false} />,
  })
  fireEvent.click(await screen.findByRole('button', { name: "Yes, it's Eastern Time (New York)" }))
  await waitFor(() =>
    expect(alerts).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining('Nothing was changed: it is gone, or you may no longer change it.'),
    ),
  )
})
