import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { checkSession } from '#data/session/session.ts'
import { rememberReturnTo } from '#lib/return-to.ts'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { aSession, fakeBackend } from '../../../testing/fake-backend.ts'
import { LoginScreen } from './login-screen.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const TOKEN = 'POST /auth/v1/token?grant_type=password'
const REFUSED = {
  status: 400,
  body: { code: 'invalid_credentials', message: 'Invalid login credentials' },
}

const waitMs = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

async function drawLogin(state?: object) {
  renderScreen({ path: '/', state, screen: <LoginScreen /> })
  await waitMs(0)
}

async function login(email = 'maya@example.com', password = 'rally-demo') {
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: email } })
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: password } })
  fireEvent.submit(screen.getByRole('button', { name: 'Login' }).closest('form')!)
  await waitMs(0)
}

test('without email and password an alert says so, and nothing is sent', async () => {
  const calls = fakeBackend({})
  await drawLogin()
  await login('', '')
  expect(alert).toHaveBeenCalledExactlyOnceWith('Please enter both email and password')
  expect(screen.getByText('Please enter both email and password')).toBeTruthy()
  expect(calls).toEqual([])
})

test('the spinner says "Logging in..." for three seconds, then Home opens', async () => {
  fakeBackend({ [TOKEN]: { body: aSession() } })
  await drawLogin()
  await login()
  expect(screen.getByRole('button', { name: 'Logging in...' })).toBeTruthy()
  await waitMs(2900)
  expect(screen.getByText('Logging in...')).toBeTruthy()
  await waitMs(200)
  expect(screen.getByText('at /home')).toBeTruthy()
})

test('a rejected login is alerted with the server’s message after three seconds', async () => {
  fakeBackend({ [TOKEN]: REFUSED })
  await drawLogin()
  await login()
  await waitMs(2900)
  expect(alert).not.toHaveBeenCalled()
  await waitMs(200)
  expect(alert).toHaveBeenCalledExactlyOnceWith('Login failed: Invalid login credentials')
  expect(
    screen.getByRole<HTMLButtonElement>('button', { name: 'Login' }).getAttribute('aria-disabled'),
  ).toBe(null)
})

test('the error of the last try stays during the next one, so that no button moves under a finger', async () => {
  fakeBackend({ [TOKEN]: REFUSED })
  await drawLogin()
  await login()
  await waitMs(3100)
  await login()
  expect(screen.getByText('Logging in...')).toBeTruthy()
  expect(screen.getByText('Login failed: Invalid login credentials')).toBeTruthy()
})

test('submitting twice sends once', async () => {
  const calls = fakeBackend({ [TOKEN]: REFUSED })
  await drawLogin()
  await login()
  fireEvent.submit(screen.getByText('Logging in...').closest('form')!)
  await waitMs(3100)
  expect(calls).toHaveLength(1)
})

test('after login the requested page opens, with its state', async () => {
  fakeBackend({ [TOKEN]: { body: aSession() } })
  rememberReturnTo({ path: '/admin-manage?type=schedule', state: { type: 'schedule' } })
  await drawLogin()
  await login()
  await waitMs(3100)
  expect(screen.getByText('at /admin-manage')).toBeTruthy()
  expect(screen.getByText('with {"type":"schedule"}')).toBeTruthy()
})

test('a visitor who is already signed in goes on to Home', async () => {
  localStorage.setItem('member-session', JSON.stringify(aSession()))
  fakeBackend({})
  const { connectSupabase } = await import('#lib/server/supabase-connection.ts')
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  await drawLogin()
  expect(screen.getByText('at /home')).toBeTruthy()
})

test('the address that was just confirmed is filled in, also for a forgotten password', async () => {
  fakeBackend({})
  await drawLogin({ email: 'maya@example.com' })
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('maya@example.com')
  fireEvent.click(screen.getByRole('link', { name: 'Forgot Password?' }))
  expect(screen.getByText(/with .*maya@example\.com/)).toBeTruthy()
})

test('the password can be shown and hidden', async () => {
  fakeBackend({})
  await drawLogin()
  const field = screen.getByLabelText<HTMLInputElement>('Password')
  expect(field.type).toBe('password')
  fireEvent.click(screen.getByRole('button', { name: 'Show Password' }))
  expect(field.type).toBe('text')
  fireEvent.click(screen.getByRole('button', { name: 'Hide Password' }))
  expect(field.type).toBe('password')
})

test('fields have hints for password managers and keyboards', async () => {
  fakeBackend({})
  await drawLogin()
  expect(screen.getByLabelText('Email')).toMatchObject({ type: 'email', autocomplete: 'username' })
  expect(screen.getByLabelText('Password').getAttribute('autocomplete')).toBe('current-password')
})

test('who has not confirmed the address can ask for the mail again right there', async () => {
  const message = 'Email not confirmed'
  const calls = fakeBackend({
    [TOKEN]: { status: 400, body: { code: 'email_not_confirmed', message } },
    'POST /auth/v1/resend': { body: {} },
  })
  // Loaded on demand, which fake timers do not wait for.
  await import('./confirm-again.tsx')
  await drawLogin()
  await login()
  await waitMs(3100)
  expect(alert).toHaveBeenCalledExactlyOnceWith(`Login failed: ${message}`)
  await waitMs(0)
  fireEvent.click(screen.getByRole('button', { name: 'Resend Email' }))
  await waitMs(0)
  expect(calls.at(-1)?.body).toMatchObject({ type: 'signup', email: 'maya@example.com' })
})

test('the typed address goes along to Forgot Password', async () => {
  fakeBackend({})
  await drawLogin()
  fireEvent.input(screen.getByLabelText('Email'), { target: { value: 'maya@example.com' } })
  fireEvent.click(screen.getByRole('link', { name: 'Forgot Password?' }))
  expect(screen.getByText('with {"email":"maya@example.com"}')).toBeTruthy()
})

test.each([
  [
    'whose session ended elsewhere',
    { code: 'session_not_found', message: 'Session not found' },
    "You've been signed out on this device. Log in to continue.",
  ],
  [
    'who was suspended or removed',
    { code: 'user_banned', message: 'User is banned' },
    'Your account is suspended, or not part of this team. Ask one of its admins.',
  ],
  [
    'whose account was deleted',
    { code: 'user_not_found', message: 'User from sub claim in JWT does not exist' },
    'Your account is suspended, or not part of this team. Ask one of its admins.',
  ],
  [
    'who was declined on the waiting screen',
    { code: 'user_banned', message: 'User is banned' },
    'An admin of the team did not let you in. If you think this is a mistake, ask the person who told you about the team.',
    { wasWaiting: true },
  ],
  [
    'who was signed out on the waiting screen',
    { code: 'session_not_found', message: 'Session not found' },
    "You've been signed out on this device. Log in to continue.",
    { wasWaiting: true },
  ],
])(
  'the login tells somebody %s why they were signed out',
  async (_who, refusal, text, state?: object) => {
    localStorage.setItem('member-session', JSON.stringify(aSession()))
    fakeBackend({
      'GET /auth/v1/user': { status: 403, body: refusal },
      'POST /auth/v1/logout': {},
    })
    connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
    await waitMs(0)
    await checkSession()
    await drawLogin(state)
    expect(screen.getByRole('alert').textContent).toBe(text)
  },
)
