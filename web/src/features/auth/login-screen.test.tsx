import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rememberAskedPage } from '#lib/asked-page.ts'
import { drawScreen } from '../../../testing/draw-screen.tsx'
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

async function drawLogin() {
  drawScreen({ path: '/', screen: <LoginScreen /> })
  await waitMs(0)
}

async function login(email = 'maya@example.com', password = 'rally-demo') {
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: email } })
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: password } })
  fireEvent.submit(screen.getByRole('button', { name: 'Login' }).closest('form')!)
  await waitMs(0)
}

test('without email and password the member is told, and nothing is sent', async () => {
  const calls = fakeBackend({})
  await drawLogin()
  await login('', '')
  expect(alert).toHaveBeenCalledExactlyOnceWith('Please enter both email and password')
  expect(screen.getByRole('alert').textContent).toBe('Please enter both email and password')
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

test('submitting twice sends once', async () => {
  const calls = fakeBackend({ [TOKEN]: REFUSED })
  await drawLogin()
  await login()
  fireEvent.submit(screen.getByText('Logging in...').closest('form')!)
  await waitMs(3100)
  expect(calls).toHaveLength(1)
})

test('after login the page that was asked for opens, with its state', async () => {
  fakeBackend({ [TOKEN]: { body: aSession() } })
  rememberAskedPage({ path: '/admin-manage?type=schedule', state: { type: 'schedule' } })
  await drawLogin()
  await login()
  await waitMs(3100)
  expect(screen.getByText('at /admin-manage')).toBeTruthy()
  expect(screen.getByText('with {"type":"schedule"}')).toBeTruthy()
})

test('a visitor who is signed in already goes on to Home', async () => {
  localStorage.setItem('member-session', JSON.stringify(aSession()))
  fakeBackend({})
  const { connectSupabase } = await import('#lib/supabase-connection.ts')
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  await drawLogin()
  expect(screen.getByText('at /home')).toBeTruthy()
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

test('fields say to password managers and keyboards what they are', async () => {
  fakeBackend({})
  await drawLogin()
  expect(screen.getByLabelText('Email')).toMatchObject({ type: 'email', autocomplete: 'username' })
  expect(screen.getByLabelText('Password').getAttribute('autocomplete')).toBe('current-password')
})
