import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { fakeBackend, signedIn } from '../../../testing/fake-backend.ts'
import { ForgotPasswordScreen } from './forgot-password-screen.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const waitMs = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

async function ask(email: string) {
  renderScreen({ path: '/forgot-password', screen: <ForgotPasswordScreen /> })
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: email } })
  fireEvent.submit(screen.getByRole('button', { name: 'Send Reset Link' }).closest('form')!)
  await waitMs(0)
}

test('an e-mail address is required', async () => {
  fakeBackend({})
  await ask('  ')
  expect(alert).toHaveBeenCalledExactlyOnceWith('Please enter your email address')
})

test('the requested link leads to /new-password, and after three seconds the screen names the address', async () => {
  const calls = fakeBackend({ 'POST /auth/v1/recover': { body: {} } })
  await ask('maya@example.com')
  expect(screen.getByRole('button', { name: 'Sending reset link...' })).toBeTruthy()
  expect(decodeURIComponent(calls[0]?.path ?? '')).toContain(
    `redirect_to=${location.origin}/new-password`,
  )
  await waitMs(3100)
  expect(screen.getByRole('heading', { name: 'Check Your Email' })).toBeTruthy()
  expect(
    screen.getByText('If an account with that email exists, we sent you a password reset link to:'),
  ).toBeTruthy()
  expect(screen.getByText('maya@example.com')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Back to Login' }))
  expect(screen.getByText('at /')).toBeTruthy()
})

test('a rejected request is alerted', async () => {
  fakeBackend({
    'POST /auth/v1/recover': { status: 429, body: { code: 'over', message: 'Slow down' } },
  })
  await ask('maya@example.com')
  await waitMs(3100)
  expect(alert).toHaveBeenCalledExactlyOnceWith('Error sending reset email: Slow down')
})

test('a member who is logged in finds the way back to the app', async () => {
  fakeBackend({})
  await signedIn()
  renderScreen({ path: '/forgot-password', screen: <ForgotPasswordScreen /> })
  fireEvent.click(screen.getByRole('button', { name: 'Back to Home' }))
  expect(screen.getByText('at /')).toBeTruthy()
})
