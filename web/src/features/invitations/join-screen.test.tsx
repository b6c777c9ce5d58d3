import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter, Route, Routes, useLocation } from 'react-router'
import { expect, test } from 'vitest'
import { joinToken } from '#domain/join-token.ts'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { fakeBackend } from '../../../testing/fake-backend.ts'
import { joinAddress } from './join-address.ts'
import { JoinScreen } from './join-screen.tsx'

const MAYA = { email: 'maya+new@example.com', firstName: 'Maya', lastName: 'de la Cruz' }

function open(address: string, state: string) {
  const calls = fakeBackend({ 'POST /rest/v1/rpc/join_link_state': { body: state } })
  sessionStorage.clear()
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  render(
    <MemoryRouter initialEntries={[address.replace(location.origin, '')]}>
      <Routes>
        <Route path="/join/:token" element={<JoinScreen />} />
        <Route path="/create-account" element={<Arrived />} />
        <Route path="/" element={<p>at the login</p>} />
      </Routes>
    </MemoryRouter>,
  )
  return calls
}

const Arrived = () => <p>{JSON.stringify(useLocation().state)}</p>

test('an open invitation leads to Create Account, filled in', async () => {
  const calls = open(joinAddress('token-1', MAYA), 'open')
  const arrived = await screen.findByText(/de la Cruz/)
  expect(JSON.parse(arrived.textContent ?? '')).toEqual(MAYA)
  expect(calls[0]?.body).toEqual({ token: 'token-1' })
})

test.each([
  ['expired', 'This invitation has expired'],
  ['taken_back', 'This invitation was taken back'],
  ['unknown', "This invitation doesn't exist"],
])('a link that is %s says so and leads to the login', async (state, title) => {
  open(joinAddress('token-2'), state)
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Back to Login' }))
  expect(screen.getByText('at the login')).toBeTruthy()
  expect(joinToken()).toBeNull()
})

test('an open link is kept for the sign-up', async () => {
  open(joinAddress('token-3', MAYA), 'open')
  await screen.findByText(/de la Cruz/)
  expect(joinToken()).toBe('token-3')
})
