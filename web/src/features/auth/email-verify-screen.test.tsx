import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { aSession, fakeBackend } from '../../../testing/fake-backend.ts'
import { EmailVerifyScreen } from './email-verify-screen.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const waitMs = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const MAYA = { firstName: 'Maya', lastName: 'Ortiz', email: 'maya@example.com', userId: 'maya-id' }
const CONFIRMED = 'POST /rest/v1/rpc/email_confirmed'
const OUTCOME = 'POST /rest/v1/rpc/sign_up_outcome'

async function draw(state?: unknown, hash = '') {
  renderScreen({ path: '/email-verify', hash, state, screen: <EmailVerifyScreen /> })
  await waitMs(0)
}

test('the screen names the address, or "your email" if it is unknown', async () => {
  fakeBackend({ [CONFIRMED]: { body: false } })
  await draw(MAYA)
  expect(screen.getByRole('heading', { name: 'Check Your Email' })).toBeTruthy()
  expect(screen.getByText(/maya@example\.com/)).toBeTruthy()
  expect(screen.getByText('Checking for verification...')).toBeTruthy()
})

test('without navigation state the screen says "your email", and mails a new link to a typed address', async () => {
  const calls = fakeBackend({ 'POST /auth/v1/resend': { body: {} } })
  await draw()
  expect(screen.getByText(/We sent an email to your email/)).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'maya@example.com' } })
  fireEvent.submit(screen.getByRole('button', { name: 'Resend Email' }).closest('form')!)
  await waitMs(0)
  expect(calls[0]?.body).toMatchObject({ type: 'signup', email: 'maya@example.com' })
  expect(screen.getByText(/We sent an email to maya@example\.com/)).toBeTruthy()
})

test('a failed link where the address is unknown asks for it, and does not say that a mail was sent', async () => {
  const calls = fakeBackend({ 'POST /auth/v1/resend': { body: {} } })
  await draw(undefined, '#error=access_denied&error_code=otp_expired')
  expect(screen.getAllByRole('alert')[0]?.textContent).toContain('This link has expired')
  expect(screen.queryByText(/We sent an email/)).toBeNull()
  expect(screen.queryByText('Checking for verification...')).toBeNull()
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'maya@example.com' } })
  fireEvent.submit(screen.getByRole('button', { name: 'Resend Email' }).closest('form')!)
  await waitMs(0)
  expect(calls[0]?.body).toMatchObject({ type: 'signup', email: 'maya@example.com' })
  expect(screen.getByText(/We sent an email to maya@example\.com/)).toBeTruthy()
})

test('the link of a suspended member offers no new one', async () => {
  fakeBackend({})
  await draw(undefined, '#error=access_denied&error_code=user_banned')
  expect(screen.getAllByRole('alert')[0]?.textContent).not.toContain('This link has expired')
  expect(screen.queryByRole('button', { name: 'Resend Email' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Back to Login' })).toBeTruthy()
})

test('the link of an invitation leads on to choosing a password', async () => {
  const invited = { user_metadata: { needs_password: true } }
  localStorage.setItem('member-session', JSON.stringify(aSession(invited)))
  fakeBackend({ 'GET /auth/v1/user': { body: { id: 'maya' } } })
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  await draw()
  expect(screen.getByText('at /create-account')).toBeTruthy()
})

test('a link opened on another device is noticed within three seconds, and polling stops', async () => {
  let isConfirmed = false
  const calls = fakeBackend({
    [CONFIRMED]: () => ({ body: isConfirmed }),
    [OUTCOME]: { body: 'member' },
  })
  const checks = () => calls.filter(({ path }) => path.endsWith('email_confirmed'))
  await draw(MAYA)
  expect(checks().map(({ body }) => body)).toEqual([{ user_id: 'maya-id' }])
  await waitMs(3000)
  expect(checks()).toHaveLength(2)
  isConfirmed = true
  await waitMs(3000)
  expect(screen.getByRole('heading', { name: 'Email Verified!' })).toBeTruthy()
  expect(screen.getByText('Your account has been successfully verified.')).toBeTruthy()
  expect(screen.queryByText(/an admin of your team lets you in/)).toBeNull()
  await waitMs(9000)
  expect(checks()).toHaveLength(3)
  fireEvent.click(screen.getByRole('button', { name: 'Continue to Login' }))
  expect(screen.getByText('at /')).toBeTruthy()
  expect(screen.getByText('with {"email":"maya@example.com"}')).toBeTruthy()
})

test('where newcomers need approval, the page after confirming the address says so', async () => {
  const calls = fakeBackend({ [CONFIRMED]: { body: true }, [OUTCOME]: { body: 'waiting' } })
  await draw(MAYA)
  await waitMs(0)
  expect(screen.getByText(/One more step: an admin of your team lets you in/)).toBeTruthy()
  expect(calls.at(-1)?.body).toEqual({ domain: 'example.com' })
})

test('a link opened in this browser is noticed by its session, which needs no login', async () => {
  localStorage.setItem('member-session', JSON.stringify(aSession({ id: 'maya-id' })))
  fakeBackend({
    'GET /auth/v1/user': { body: { id: 'maya-id', email_confirmed_at: '2026-11-01T10:00:00Z' } },
    [OUTCOME]: { body: 'member' },
  })
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  await draw()
  expect(screen.getByRole('heading', { name: 'Email Verified!' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Continue' })).toBeTruthy()
})

test('a failed check means pending, not an error', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  fakeBackend({ [CONFIRMED]: { status: 503, body: { message: 'down' } } })
  await draw(MAYA)
  await waitMs(3000)
  expect(alert).not.toHaveBeenCalled()
  expect(screen.getByText('Checking for verification...')).toBeTruthy()
})

test('Edit Email goes back with the earlier names and an empty e-mail', async () => {
  fakeBackend({ [CONFIRMED]: { body: false } })
  await draw(MAYA)
  fireEvent.click(screen.getByRole('button', { name: 'Edit Email' }))
  await waitMs(0)
  expect(screen.getByText('at /create-account')).toBeTruthy()
  expect(screen.getByText('with {"firstName":"Maya","lastName":"Ortiz","email":""}')).toBeTruthy()
})

test('the mail can be resent once a minute', async () => {
  const calls = fakeBackend({ [CONFIRMED]: { body: false }, 'POST /auth/v1/resend': { body: {} } })
  await draw(MAYA)
  const button = () => screen.getByRole<HTMLButtonElement>('button', { name: /Resend/ })
  expect(button().getAttribute('aria-disabled')).toBe('true')
  for (let second = 0; second < 60; second++) await waitMs(1000)
  expect(button().getAttribute('aria-disabled')).toBe(null)
  fireEvent.click(button())
  await waitMs(0)
  const resent = calls.find((call) => call.path.startsWith('/auth/v1/resend'))
  expect(resent?.body).toMatchObject({ type: 'signup', email: 'maya@example.com' })
  expect(button().getAttribute('aria-disabled')).toBe('true')
})
