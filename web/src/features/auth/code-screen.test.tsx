import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { auth } from '#data/session/auth.ts'
import { needsCode } from '#data/session/second-factor.ts'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { aSession, fakeBackend } from '../../../testing/fake-backend.ts'
import { CodeScreen } from './code-screen.tsx'

const FACTOR = {
  id: 'app',
  factor_type: 'totp',
  status: 'verified',
  created_at: '',
  updated_at: '',
}
const owing = () => aSession({ factors: [FACTOR] }) as never

function withAssurance(aal: string) {
  const session = aSession({ factors: [FACTOR] })
  const claims = btoa(JSON.stringify({ sub: 'maya', aal, exp: session.expires_at }))
  return { ...session, access_token: `e30.${claims.replaceAll('=', '')}.c2ln` } as never
}

test('a session owes a code while the account has a verified factor and the token says aal1', () => {
  expect(needsCode(aSession() as never)).toBe(false)
  expect(needsCode(aSession({ factors: [{ ...FACTOR, status: 'unverified' }] }) as never)).toBe(
    false,
  )
  expect(needsCode(owing())).toBe(true)
  expect(needsCode(withAssurance('aal1'))).toBe(true)
  expect(needsCode(withAssurance('aal2'))).toBe(false)
})

async function open() {
  localStorage.setItem('member-session', JSON.stringify(owing()))
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  await act(async () => (await auth()).getSession())
  renderScreen({ path: '/', screen: <CodeScreen session={owing()} /> })
}

const submit = (name: string) =>
  act(async () => {
    fireEvent.submit(screen.getByRole('button', { name }).closest('form')!)
    await vi.waitFor(() => expect(screen.queryByText('Checking...')).toBeNull())
  })

test('a code of five digits is not sent', async () => {
  const calls = fakeBackend({})
  await open()
  fireEvent.change(screen.getByLabelText('6-digit code'), { target: { value: '12 345' } })
  await submit('Continue')
  expect(alert).toHaveBeenCalledExactlyOnceWith('Please enter the 6 digits of your code')
  expect(calls).toEqual([])
})

test('a code typed in two groups is sent as one, and a wrong one is said in the member’s words', async () => {
  const calls = fakeBackend({
    'POST /auth/v1/factors/app/challenge': { body: { id: 'challenge', type: 'totp' } },
    'POST /auth/v1/factors/app/verify': {
      status: 422,
      body: { code: 'mfa_verification_failed', message: 'Invalid TOTP code entered' },
    },
  })
  await open()
  fireEvent.change(screen.getByLabelText('6-digit code'), { target: { value: '123 456' } })
  await submit('Continue')
  expect(calls.at(-1)?.body).toMatchObject({ challenge_id: 'challenge', code: '123456' })
  const said = "Login failed: That code isn't right, or it was used before. Try the next one."
  expect(alert).toHaveBeenCalledExactlyOnceWith(said)
  expect(screen.getByText(said)).toBeTruthy()
  // Nothing typed is lost.
  expect(screen.getByLabelText<HTMLInputElement>('6-digit code').value).toBe('123 456')
})

test('a recovery code that is wrong keeps the screen open', async () => {
  const calls = fakeBackend({
    'POST /rest/v1/rpc/use_recovery_code': { body: null },
  })
  await open()
  fireEvent.click(screen.getByRole('button', { name: 'Use a recovery code' }))
  await submit('Continue')
  expect(alert).toHaveBeenLastCalledWith('Please enter a recovery code')
  fireEvent.change(screen.getByLabelText('Recovery code'), { target: { value: 'aaaa-bbbb-cccc' } })
  await submit('Continue')
  expect(alert).toHaveBeenLastCalledWith(
    "Login failed: That code isn't right, or it was used before",
  )
  expect(calls.map(({ path }) => path)).toEqual(['/rest/v1/rpc/use_recovery_code'])
})

test('after a recovery code the app goes on with the refresh token that it is given, not with its own', async () => {
  const calls = fakeBackend({
    'POST /rest/v1/rpc/use_recovery_code': { body: '0123456789ab' },
    'POST /auth/v1/token?grant_type=refresh_token': { body: aSession() },
    'POST /rest/v1/rpc/recovery_codes_left': { body: 9 },
  })
  await open()
  fireEvent.click(screen.getByRole('button', { name: 'Use a recovery code' }))
  fireEvent.change(screen.getByLabelText('Recovery code'), { target: { value: 'aaaa-bbbb-cccc' } })
  await submit('Continue')
  expect(calls.map(({ path, body }) => [path, body])).toContainEqual([
    '/auth/v1/token?grant_type=refresh_token',
    { refresh_token: '0123456789ab' },
  ])
  expect(alert).not.toHaveBeenCalled()
})
