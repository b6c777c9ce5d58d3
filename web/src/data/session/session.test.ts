import { renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { aSession, fakeBackend } from '../../../testing/fake-backend.ts'
import { auth } from './auth.ts'
import { useSession } from './session.ts'
import { SESSION_KEY, storedSession } from './stored-session.ts'

const CONFIG = { supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' }
const MINUTE_S = 60

afterEach(() => history.replaceState(null, '', '/'))

function start(session?: object) {
  if (session) localStorage.setItem(SESSION_KEY, JSON.stringify(session))
  connectSupabase(CONFIG)
  return renderHook(() => useSession()).result
}

const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

test('a member with a fresh token, and a visitor without one, are known at once', () => {
  fakeBackend({})
  expect(start().current).toMatchObject({ status: 'signed-out', ended: null })
  expect(start(aSession()).current).toMatchObject({ status: 'signed-in', userId: 'maya' })
})

test('with an expired token nobody is let in before it has been renewed', async () => {
  const calls = fakeBackend({ 'POST /auth/v1/token': { body: aSession({ id: 'maya' }) } })
  const session = start({ ...aSession(), expires_at: secondsFromNow(-MINUTE_S) })
  expect(session.current.status).toBe('loading')
  await waitFor(() => expect(session.current.status).toBe('signed-in'))
  expect(calls.map(({ path }) => path)).toEqual(['/auth/v1/token?grant_type=refresh_token'])
})

test('an expired session that the server refuses leads to the login, which says so', async () => {
  fakeBackend({
    'POST /auth/v1/token': { status: 400, body: { code: 'refresh_token_not_found' } },
  })
  const session = start({ ...aSession(), expires_at: secondsFromNow(-MINUTE_S) })
  await waitFor(() =>
    expect(session.current).toMatchObject({ status: 'signed-out', ended: 'elsewhere' }),
  )
  expect(storedSession()).toBeNull()
})

test('a sign-out in another tab is noticed at once, also just after the start', async () => {
  fakeBackend({})
  const session = start(aSession())
  localStorage.removeItem(SESSION_KEY)
  dispatchEvent(new StorageEvent('storage', { key: SESSION_KEY }))
  await waitFor(() => expect(session.current.status).toBe('signed-out'))
})

test('a sign-in in another tab is noticed at once', async () => {
  fakeBackend({})
  const session = start()
  localStorage.setItem(SESSION_KEY, JSON.stringify(aSession()))
  dispatchEvent(new StorageEvent('storage', { key: SESSION_KEY }))
  await waitFor(() => expect(session.current.status).toBe('signed-in'))
})

test('a stranger’s session that comes into the address after the start is not taken', async () => {
  fakeBackend({})
  const session = start(aSession())
  const [head, , signature] = aSession().access_token.split('.')
  const stranger = [head, btoa(JSON.stringify({ sub: 'mallory' })), signature].join('.')
  history.replaceState(null, '', `/home#access_token=${stranger}&refresh_token=r&expires_in=3600`)
  await (await auth()).getSession()
  expect(location.hash).toBe('')
  expect(session.current).toMatchObject({ status: 'signed-in', userId: 'maya' })
})

test('a mailed link’s session is waited for', async () => {
  fakeBackend({ 'GET /auth/v1/user': { body: aSession().user } })
  const { access_token } = aSession()
  const hash = `#access_token=${access_token}&refresh_token=r&expires_in=3600&token_type=bearer`
  history.replaceState(null, '', `/new-password${hash}`)
  const session = start()
  expect(session.current.status).toBe('loading')
  await waitFor(() => expect(session.current.status).toBe('signed-in'))
})
