import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { aSession, fakeBackend } from '../../../testing/fake-backend.ts'
import { CreateAccountScreen } from './create-account-screen.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const waitMs = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const NORA = { first_name: 'Nora', last_name: '', needs_password: true }
const PROFILE = 'PATCH /rest/v1/users?id=eq.maya'
const ACCOUNT = 'PUT /auth/v1/user'

async function draw() {
  const session = aSession({ email: 'nora@example.com', user_metadata: NORA })
  localStorage.setItem('member-session', JSON.stringify(session))
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  renderScreen({ path: '/create-account', screen: <CreateAccountScreen /> })
  await waitMs(0)
}

async function fillIn(confirmation = 'secret-1') {
  const values = {
    'Last Name': 'Vance',
    Password: 'secret-1',
    'Confirm Password': confirmation,
  }
  for (const [label, value] of Object.entries(values)) {
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
  }
  fireEvent.submit(screen.getByRole('button', { name: 'Create Account' }).closest('form')!)
  await waitMs(0)
}

test('an opened invitation fills in the address, read-only', async () => {
  fakeBackend({})
  await draw()
  const email = screen.getByLabelText<HTMLInputElement>('Email')
  expect([email.value, email.readOnly]).toEqual(['nora@example.com', true])
  expect(screen.getByLabelText<HTMLInputElement>('First Name').value).toBe('Nora')
})

test('somebody invited is told too that the firm keeps the messages', async () => {
  fakeBackend({})
  await draw()
  const kept = 'Your firm keeps the messages that are written here, as the law requires.'
  const send = screen.getByRole('button', { name: 'Create Account' })
  expect(within(send.closest('form')!).getByText(kept)).toBeTruthy()
})

test('name and password complete the account, and Home opens', async () => {
  const calls = fakeBackend({
    [PROFILE]: { body: {} },
    [ACCOUNT]: { body: { id: 'maya', user_metadata: { needs_password: false } } },
  })
  await draw()
  await fillIn()
  expect(screen.getByRole('button', { name: 'Creating your account...' })).toBeTruthy()
  await waitMs(2900)
  expect(screen.getByText('Creating your account...')).toBeTruthy()
  await waitMs(200)
  expect(screen.getByText('at /home')).toBeTruthy()
  const name = { first_name: 'Nora', last_name: 'Vance' }
  expect(calls.map(({ body }) => body)).toMatchObject([
    name,
    // Asks for the version of the house rules.
    {},
    {
      password: 'secret-1',
      data: { ...name, house_rules: 1, locale: 'en', needs_password: false },
    },
  ])
})

test('two different passwords are refused, and a server error is alerted', async () => {
  const calls = fakeBackend({
    [PROFILE]: { body: {} },
    [ACCOUNT]: { status: 422, body: { code: 'weak_password', message: 'Too weak' } },
  })
  await draw()
  await fillIn('secret-2')
  expect(alert).toHaveBeenCalledExactlyOnceWith('Passwords do not match')
  expect(calls).toEqual([])
  await fillIn()
  await waitMs(3100)
  expect(alert).toHaveBeenLastCalledWith('Error creating account: Too weak')
})

test('somebody who opened the link long ago can have another one sent to the same address', async () => {
  const message = 'Current password required when setting new password.'
  fakeBackend({
    [PROFILE]: { body: {} },
    [ACCOUNT]: { status: 400, body: { code: 'current_password_required', message } },
  })
  await draw()
  await fillIn()
  await waitMs(3100)
  expect(screen.getByText(/Your link was opened more than 15 minutes ago/)).toBeTruthy()
  fireEvent.click(screen.getByRole('link', { name: 'Send me a new link' }))
  expect(screen.getByText('with {"email":"nora@example.com"}')).toBeTruthy()
})

test('after a lost response, trying again with the same password goes on to Home', async () => {
  const same = { status: 422, body: { code: 'same_password', message: 'New password should be…' } }
  const done = { body: { id: 'maya', user_metadata: { needs_password: false } } }
  const calls = fakeBackend({
    [PROFILE]: { body: {} },
    [ACCOUNT]: () => (calls.at(-1)?.body.password ? same : done),
  })
  await draw()
  await fillIn()
  await waitMs(3100)
  expect(screen.getByText('at /home')).toBeTruthy()
  expect(alert).not.toHaveBeenCalled()
  const kept = JSON.parse(localStorage.getItem('member-session') ?? '{}') as { user?: object }
  expect(kept.user).toMatchObject({ user_metadata: { needs_password: false } })
})

test('an expired invitation says so, and the regular sign-up form is shown below', async () => {
  fakeBackend({})
  renderScreen({
    path: '/create-account',
    hash: '#error=access_denied&error_code=otp_expired',
    screen: <CreateAccountScreen />,
  })
  await waitMs(0)
  expect(screen.getAllByRole('alert')[0]?.textContent).toMatch(/^This invitation has expired/)
  expect(screen.getByRole('button', { name: 'Verify Account' })).toBeTruthy()
})
