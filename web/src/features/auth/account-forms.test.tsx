// What the four account forms share: alerts, the busy state, and hints for keyboards and password managers.
import { act, fireEvent, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { auth } from '#data/session/auth.ts'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { aSession, fakeBackend } from '../../../testing/fake-backend.ts'
import { CreateAccountScreen } from './create-account-screen.tsx'
import { ForgotPasswordScreen } from './forgot-password-screen.tsx'
import { LoginScreen } from './login-screen.tsx'
import { NewPasswordScreen } from './new-password-screen.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

type Form = {
  path: string
  screen: ReactNode
  fields: Record<string, string>
  button: string
  busyText: string
  call: 'signInWithPassword' | 'signUp' | 'resetPasswordForEmail' | 'updateUser'
  request: string
  refusal: string
}

const FORMS: Record<string, Form> = {
  login: {
    path: '/',
    screen: <LoginScreen />,
    fields: { Email: 'maya@example.com', Password: 'rally-demo' },
    button: 'Login',
    busyText: 'Logging in...',
    call: 'signInWithPassword',
    request: 'POST /auth/v1/token?grant_type=password',
    refusal: 'Login failed: No',
  },
  'sign-up': {
    path: '/create-account',
    screen: <CreateAccountScreen />,
    fields: {
      'First Name': 'Maya',
      Email: 'maya@example.com',
      Password: 'secret-1',
      'Confirm Password': 'secret-1',
    },
    button: 'Verify Account',
    busyText: "We're sending you an email...",
    call: 'signUp',
    request: 'POST /auth/v1/signup',
    refusal: 'Error creating account: No',
  },
  reset: {
    path: '/forgot-password',
    screen: <ForgotPasswordScreen />,
    fields: { Email: 'maya@example.com' },
    button: 'Send Reset Link',
    busyText: 'Sending reset link...',
    call: 'resetPasswordForEmail',
    request: 'POST /auth/v1/recover',
    refusal: 'Error sending reset email: No',
  },
  'new password': {
    path: '/new-password',
    screen: <NewPasswordScreen />,
    fields: { 'New Password': 'secret-1', 'Confirm New Password': 'secret-1' },
    button: 'Save New Password',
    busyText: 'Saving...',
    call: 'updateUser',
    request: 'PUT /auth/v1/user',
    refusal: 'Error updating password: No',
  },
}

const waitMs = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const button = ({ button: name }: Form) => screen.getByRole<HTMLButtonElement>('button', { name })

async function draw(form: Form) {
  if (form.path === '/new-password') {
    localStorage.setItem('member-session', JSON.stringify(aSession()))
    connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  }
  renderScreen(form)
  await waitMs(0)
}

async function submit(form: Form) {
  for (const [label, value] of Object.entries(form.fields)) {
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
  }
  fireEvent.submit(button(form).closest('form')!)
  await waitMs(0)
}

describe.each(Object.entries(FORMS))('%s', (_name, form) => {
  test('a refusal is alerted after three seconds, announced, and stays on the page', async () => {
    fakeBackend({ [form.request]: { status: 400, body: { code: 'no', message: 'No' } } })
    await draw(form)
    await submit(form)
    expect(screen.getByRole('button', { name: form.busyText })).toBeTruthy()
    await waitMs(2900)
    expect(alert).not.toHaveBeenCalled()
    await waitMs(200)
    expect(alert).toHaveBeenCalledExactlyOnceWith(form.refusal)
    expect(screen.getByRole('alert').textContent).toBe(form.refusal)
    expect(button(form).getAttribute('aria-disabled')).toBe(null)
  })

  test('a thrown error shows "An unexpected error occurred" and ends the busy state at once', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    fakeBackend({})
    await draw(form)
    vi.spyOn(await auth(), form.call).mockRejectedValue(new Error('boom'))
    await submit(form)
    expect(alert).toHaveBeenCalledExactlyOnceWith('An unexpected error occurred')
    expect(button(form).getAttribute('aria-disabled')).toBe(null)
  })

  test('while busy, the form cannot be submitted again', async () => {
    const calls = fakeBackend({ [form.request]: { status: 400, body: { message: 'No' } } })
    await draw(form)
    await submit(form)
    const busy = screen.getByRole<HTMLButtonElement>('button', { busy: true })
    expect(busy.getAttribute('aria-disabled')).toBe('true')
    fireEvent.submit(busy.closest('form')!)
    await waitMs(3100)
    const sent = calls.filter(({ method, path }) => `${method} ${path}`.startsWith(form.request))
    expect(sent).toHaveLength(1)
  })
})

const EMAIL = {
  type: 'email',
  inputmode: 'email',
  autocomplete: 'username',
  autocapitalize: 'none',
}
const NEW_PASSWORD = { type: 'password', name: 'password', autocomplete: 'new-password' }
const CONFIRMATION = { type: 'password', name: 'confirmation', autocomplete: 'new-password' }

test.each([
  ['login', 'Email', { ...EMAIL, name: 'email' }],
  ['login', 'Password', { type: 'password', name: 'password', autocomplete: 'current-password' }],
  ['sign-up', 'First Name', { type: 'text', name: 'firstName', autocomplete: 'given-name' }],
  ['sign-up', 'Last Name', { type: 'text', name: 'lastName', autocomplete: 'family-name' }],
  ['sign-up', 'Email', { ...EMAIL, name: 'email' }],
  ['sign-up', 'Password', NEW_PASSWORD],
  ['sign-up', 'Confirm Password', CONFIRMATION],
  ['reset', 'Email', { ...EMAIL, name: 'email' }],
  ['new password', 'New Password', NEW_PASSWORD],
  ['new password', 'Confirm New Password', CONFIRMATION],
])('%s: %s has the right keyboard and autofill hint', async (name, label, expected) => {
  fakeBackend({})
  await draw(FORMS[name]!)
  const field = screen.getByLabelText(label)
  const found = Object.keys(expected).map((key) => [key, field.getAttribute(key)])
  expect(Object.fromEntries(found)).toEqual(expected)
})
