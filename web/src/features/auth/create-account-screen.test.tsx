import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetJoinToken, keepJoinToken } from '#domain/join-token.ts'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { fakeBackend, type Call } from '../../../testing/fake-backend.ts'
import { CreateAccountScreen } from './create-account-screen.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  forgetJoinToken()
  vi.useRealTimers()
})

const waitMs = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

const MAYA = {
  'First Name': 'Maya',
  'Last Name': 'Ortiz',
  Email: 'maya@example.com',
  Password: 'secret-1',
  'Confirm Password': 'secret-1',
}

async function signUp(changes: Partial<typeof MAYA> = {}) {
  for (const [label, value] of Object.entries({ ...MAYA, ...changes })) {
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
  }
  fireEvent.submit(screen.getByRole('button', { name: 'Verify Account' }).closest('form')!)
  await waitMs(0)
}

/** To the auth service; the screen also asks the database who may sign up. */
const sent = (calls: Call[]) => calls.filter(({ path }) => path.startsWith('/auth'))

const draw = (state?: unknown) =>
  renderScreen({ path: '/create-account', state, screen: <CreateAccountScreen /> })

test('before signing up, people read that the firm keeps messages, and find the house rules', () => {
  fakeBackend({})
  draw()
  const kept = 'Your firm keeps the messages that are written here, as the law requires.'
  const send = screen.getByRole('button', { name: 'Verify Account' })
  expect(within(send.closest('form')!).getByText(kept)).toBeTruthy()
  const rules = screen.getByRole('link', { name: 'house rules' })
  expect(rules.getAttribute('href')).toBe('/house-rules')
})

test('two different passwords are refused before anything is sent', async () => {
  const calls = fakeBackend({})
  draw()
  await signUp({ 'Confirm Password': 'secret-2' })
  expect(alert).toHaveBeenCalledExactlyOnceWith('Passwords do not match')
  expect(sent(calls)).toEqual([])
})

test('an empty form says what is missing before anything is sent', async () => {
  const calls = fakeBackend({})
  draw()
  await signUp({ 'First Name': ' ', Email: '', Password: '', 'Confirm Password': '' })
  expect(alert).toHaveBeenCalledExactlyOnceWith('Please enter your first name')
  for (const text of ['first name', 'email address', 'a password'])
    expect(screen.getByText(new RegExp(`^Please enter.* ${text}$`))).toBeTruthy()
  expect(sent(calls)).toEqual([])
})

test('an incomplete address is refused before anything is sent', async () => {
  const calls = fakeBackend({})
  draw()
  await signUp({ Email: 'foo@bar' })
  expect(alert).toHaveBeenCalledExactlyOnceWith(
    'Please enter a complete email address, such as name@example.com',
  )
  expect(sent(calls)).toEqual([])
})

test('a name that is too long is refused before anything is sent, and not cut', async () => {
  const calls = fakeBackend({})
  draw()
  await signUp({ 'Last Name': 'x'.repeat(101) })
  expect(alert).toHaveBeenCalledExactlyOnceWith('A name can have up to 100 characters')
  expect(screen.getByLabelText<HTMLInputElement>('Last Name').value).toHaveLength(101)
  expect(sent(calls)).toEqual([])
})

test('a sign-up sends name, e-mail and password, is busy for three seconds, then waits for the e-mail', async () => {
  const calls = fakeBackend({
    'POST /rest/v1/rpc/sign_up_outcome': { body: 'member' },
    'POST /auth/v1/signup': { body: { id: 'maya-id', email: MAYA.Email } },
  })
  keepJoinToken('token-1')
  draw()
  await signUp()
  expect(screen.getByRole('button', { name: "We're sending you an email..." })).toBeTruthy()
  expect(calls.map(({ body }) => body)).toContainEqual({
    domain: 'example.com',
    join_token: 'token-1',
  })
  expect(sent(calls)[0]?.body).toMatchObject({
    email: 'maya@example.com',
    password: 'secret-1',
    data: { first_name: 'Maya', last_name: 'Ortiz', locale: 'en', join_token: 'token-1' },
  })
  expect(decodeURIComponent(sent(calls)[0]?.path ?? '')).toContain(
    `redirect_to=${location.origin}/email-verify`,
  )
  await waitMs(2900)
  expect(screen.queryByText('at /email-verify')).toBeNull()
  await waitMs(200)
  expect(screen.getByText('at /email-verify')).toBeTruthy()
  expect(screen.getByText(/"userId":"maya-id"/).textContent).not.toContain('secret')
})

test('a rejected sign-up is alerted and the form is usable again', async () => {
  fakeBackend({
    'POST /auth/v1/signup': { status: 422, body: { code: 'weak_password', message: 'Too weak' } },
  })
  draw()
  await signUp()
  await waitMs(3100)
  expect(alert).toHaveBeenCalledExactlyOnceWith('Error creating account: Too weak')
  expect(
    screen
      .getByRole<HTMLButtonElement>('button', { name: 'Verify Account' })
      .getAttribute('aria-disabled'),
  ).toBe(null)
})

test('a thrown error ends the busy state at once', async () => {
  fakeBackend({})
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { auth } = await import('#data/session/auth.ts')
  vi.spyOn(await auth(), 'signUp').mockRejectedValue(new Error('boom'))
  draw()
  await signUp()
  expect(alert).toHaveBeenCalledExactlyOnceWith('An unexpected error occurred')
  expect(screen.getByRole('button', { name: 'Verify Account' })).toBeTruthy()
})

test('navigation state prefills the form', () => {
  draw({ firstName: 'Noah', lastName: 'Reed', email: 'noah@example.com' })
  expect(screen.getByLabelText<HTMLInputElement>('First Name').value).toBe('Noah')
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('noah@example.com')
})

test('an address that the team does not take is refused clearly, no account is made and nothing typed is lost', async () => {
  const calls = fakeBackend({ 'POST /rest/v1/rpc/sign_up_outcome': { body: 'other_domain' } })
  draw()
  await signUp()
  await waitMs(3100)
  expect(screen.getByRole('alert').textContent).toContain(
    "Only addresses of the team's own domains",
  )
  expect(sent(calls)).toEqual([])
  expect(screen.getByLabelText<HTMLInputElement>('First Name').value).toBe('Maya')
})

test('where only invited people are taken in, nobody fills in the form for nothing', async () => {
  fakeBackend({ 'POST /rest/v1/rpc/sign_up_outcome': { body: 'invitation_only' } })
  draw()
  await waitMs(0)
  expect(screen.getByRole('heading', { name: 'You need an invitation' })).toBeTruthy()
  expect(screen.queryByLabelText('Email')).toBeNull()
})
