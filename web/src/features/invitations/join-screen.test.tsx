import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter, Route, Routes, useLocation } from 'react-router'
import { expect, test } from 'vitest'
import { fakeBackend } from '../../../testing/fake-backend.ts'
import { joinAddress } from './join-address.ts'
import { JoinScreen } from './join-screen.tsx'

const MAYA = { email: 'maya+new@example.com', firstName: 'Maya', lastName: 'de la Cruz' }

function open(address: string, isOpen: boolean) {
  const calls = fakeBackend({ 'POST /rest/v1/rpc/join_link_is_open': { body: isOpen } })
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
  const calls = open(joinAddress('token-1', MAYA), true)
  const arrived = await screen.findByText(/de la Cruz/)
  expect(JSON.parse(arrived.textContent ?? '')).toEqual(MAYA)
  expect(calls[0]?.body).toEqual({ token: 'token-1' })
})

test('an expired invitation says so and leads to the login', async () => {
  open(joinAddress('token-2'), false)
  expect(await screen.findByRole('heading', { name: 'This invitation has expired' })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Back to Login' }))
  expect(screen.getByText('at the login')).toBeTruthy()
})
