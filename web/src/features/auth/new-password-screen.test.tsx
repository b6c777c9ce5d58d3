import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { aSession, fakeBackend } from '../../../testing/fake-backend.ts'
import { NewPasswordScreen } from './new-password-screen.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const waitMs = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const UPDATED = {
  'PUT /auth/v1/user': { body: { id: 'maya' } },
  'POST /auth/v1/logout': {},
}

async function draw(hasSession = true, hash = '') {
  history.replaceState(null, '', `/new-password${hash}`)
  if (hasSession) localStorage.setItem('member-session', JSON.stringify(aSession()))
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  renderScreen({ path: '/new-password', screen: <NewPasswordScreen /> })
  await waitMs(0)
}

async function save(password: string, confirmation = password) {
  fireEvent.change(screen.getByLabelText('New Password'), { target: { value: password } })
  fireEvent.change(screen.getByLabelText('Confirm New Password'), {
    target: { value: confirmation },
  })
  fireEvent.submit(screen.getByRole('button', { name: 'Save New Password' }).closest('form')!)
  await waitMs(0)
}

test('without a session the screen leads to the login', async () => {
  fakeBackend({})
  await draw(false)
  expect(screen.getByText('at /')).toBeTruthy()
})

test('a used or expired link changes nobody’s password, signed in or not', async () => {
  fakeBackend({})
  await draw(true, '#error=access_denied&error_code=otp_expired&error_description=Expired')
  expect(alert).toHaveBeenCalledExactlyOnceWith(
    'This link has expired or was already used. Please request a new one.',
  )
  expect(screen.queryByLabelText('New Password')).toBeNull()
  expect(screen.getByText('at /')).toBeTruthy()
})

test('the link of somebody who was suspended or removed says so, and whom to ask', async () => {
  fakeBackend({})
  await draw(false, '#error=access_denied&error_code=user_banned&error_description=User+is+banned')
  expect(alert).toHaveBeenCalledExactlyOnceWith(
    'Your account is suspended, or not part of this team. Ask one of its admins.',
  )
  expect(screen.getByText('at /')).toBeTruthy()
})

test('the form names the account it changes', async () => {
  fakeBackend({})
  await draw()
  expect(screen.getByText('Choose a new password for maya@example.com.')).toBeTruthy()
})

test('both passwords must match', async () => {
  fakeBackend({})
  await draw()
  await save('secret-1', 'secret-2')
  expect(alert).toHaveBeenCalledExactlyOnceWith('Passwords do not match')
})

test('the password has at least six characters', async () => {
  fakeBackend({})
  await draw()
  await save('short')
  expect(alert).toHaveBeenCalledExactlyOnceWith('Password must be at least 6 characters long')
})

test('a new password ends every session, says so, and opens the login two seconds later', async () => {
  const calls = fakeBackend(UPDATED)
  await draw()
  await save('secret-1')
  expect(screen.getByRole('button', { busy: true }).getAttribute('aria-disabled')).toBe('true')
  await waitMs(3100)
  expect(screen.getByRole('heading', { name: 'Password Updated!' })).toBeTruthy()
  expect(
    screen.getByText('Your password has been successfully updated. Redirecting to login...'),
  ).toBeTruthy()
  expect(calls.map((call) => call.path)).toContain('/auth/v1/logout?scope=global')
  expect(localStorage.getItem('member-session')).toBeNull()
  await waitMs(1800)
  expect(screen.queryByText('at /')).toBeNull()
  await waitMs(300)
  expect(screen.getByText('at /')).toBeTruthy()
})

test('without a link that was just opened, the screen says how to change the password', async () => {
  fakeBackend({
    'PUT /auth/v1/user': { status: 400, body: { code: 'current_password_required', message: '' } },
  })
  await draw()
  await save('secret-1')
  await waitMs(3100)
  expect(alert).toHaveBeenCalledExactlyOnceWith(
    'Error updating password: This takes a reset link opened within the last 15 minutes. Ask for one with “Forgot Password?” on the login page, or change your password in your profile.',
  )
})

test('a rejected password is alerted and the session is kept', async () => {
  fakeBackend({
    'PUT /auth/v1/user': { status: 422, body: { code: 'same_password', message: 'Be different' } },
  })
  await draw()
  await save('secret-1')
  await waitMs(3100)
  expect(alert).toHaveBeenCalledExactlyOnceWith('Error updating password: Be different')
  expect(screen.getByRole('button', { name: 'Save New Password' })).toBeTruthy()
})
