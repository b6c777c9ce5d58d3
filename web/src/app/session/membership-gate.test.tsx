import 'fake-indexeddb/auto'
import { useQuery } from '@tanstack/react-query'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { takeOver } from '#data/kept/device-data.ts'
import { keptOnDevice } from '#data/kept/kept-queries.ts'
import { keepJoinToken } from '#domain/join-token.ts'
import { getReturnTo, rememberReturnTo } from '#lib/return-to.ts'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { aSession, fakeBackend } from '../../../testing/fake-backend.ts'
import { keepFor, keptOf } from '../../../testing/kept-copies.ts'
import { MembershipGate } from './membership-gate.tsx'

const WAITING = { status: 'waiting', refusal: null, has_admin: true, takes_set_up_code: false }
const JOIN = { 'POST /rest/v1/rpc/join_team': { body: 'waiting' } }
const MEMBERSHIP = 'POST /rest/v1/rpc/my_membership'

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('member-session', JSON.stringify(aSession()))
})

function open(path: string, team: ReactNode = 'the team') {
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  renderScreen({ path, screen: <MembershipGate>{team}</MembershipGate> })
}

test('a member is let through', async () => {
  fakeBackend({ [MEMBERSHIP]: { body: [{ ...WAITING, status: 'active' }] } })
  open('/home')
  expect(await screen.findByText('the team')).toBeTruthy()
})

test('a member who was let through here before is not asked about again', async () => {
  const calls = fakeBackend({})
  await takeOver('maya')
  open('/home')
  expect(await screen.findByText('the team')).toBeTruthy()
  expect(calls).toEqual([])
})

test('what a member’s first screen reads is kept on the device, what another member read before is gone', async () => {
  fakeBackend({ [MEMBERSHIP]: { body: [{ ...WAITING, status: 'active' }] } })
  await takeOver('theo')
  await keepFor({ queryKey: ['theo'] }, 'Theo’s list')
  open('/home', <List />)
  expect(await screen.findByText('Maya’s list')).toBeTruthy()
  await vi.waitFor(async () => expect(await keptOf({ queryKey: ['maya'] })).toBe('Maya’s list'))
  expect(await keptOf({ queryKey: ['theo'] })).toBeUndefined()
})

/** A screen that reads as soon as it is shown. */
function List() {
  const queryFn = () => Promise.resolve('Maya’s list')
  return useQuery({ ...keptOnDevice(), queryKey: ['maya'], queryFn }).data
}

test('who waits is led to the waiting screen, and the page they asked for is remembered', async () => {
  fakeBackend({ [MEMBERSHIP]: { body: [WAITING] }, ...JOIN })
  open('/chat')
  expect(await screen.findByText('at /waiting')).toBeTruthy()
  expect(screen.queryByText('the team')).toBeNull()
  expect(getReturnTo().path).toBe('/chat')
})

test('who was signed out on the waiting screen is led Home once they are let in', async () => {
  fakeBackend({ [MEMBERSHIP]: { body: [{ ...WAITING, status: 'active' }] } })
  sessionStorage.clear()
  rememberReturnTo({ path: '/waiting?from=mail', state: null })
  open('/waiting')
  expect(await screen.findByText('at /home')).toBeTruthy()
})

test('the waiting screen asks with the link they came by, and opens by itself', async () => {
  let status = 'waiting'
  const calls = fakeBackend({
    [MEMBERSHIP]: () => ({ body: [{ ...WAITING, status }] }),
    ...JOIN,
  })
  keepJoinToken('token-1')
  open('/waiting')
  expect(await screen.findByRole('heading', { name: "You're almost in" })).toBeTruthy()
  await waitFor(() =>
    expect(calls.find(({ path }) => path.endsWith('join_team'))?.body).toEqual({
      join_token: 'token-1',
    }),
  )
  status = 'active'
  expect(await screen.findByText(/^at \/(home|chat)$/, {}, { timeout: 5_000 })).toBeTruthy()
})

test.each([
  ['invitation_only', 'You need an invitation'],
  ['other_domain', "Your email address can't join this team"],
])('who is not taken in reads why: %s', async (refusal, title) => {
  fakeBackend({ [MEMBERSHIP]: { body: [{ ...WAITING, status: 'none', refusal }] }, ...JOIN })
  open('/waiting')
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy()
})

test('where there is no admin, the set-up code is asked for', async () => {
  const membership = { ...WAITING, has_admin: false, takes_set_up_code: true }
  let isRight = false
  fakeBackend({
    [MEMBERSHIP]: () => ({ body: [isRight ? { ...membership, status: 'active' } : membership] }),
    ...JOIN,
    'POST /rest/v1/rpc/claim_team': () => ({ body: isRight }),
  })
  open('/waiting')
  const code = await screen.findByLabelText('Set-up code')
  fireEvent.change(code, { target: { value: 'abcd' } })
  fireEvent.submit(code.closest('form')!)
  await waitFor(() => expect(alert).toHaveBeenCalledOnce())
  expect(screen.getByRole('alert').textContent).toContain("That set-up code isn't right.")
  expect(screen.getByLabelText<HTMLInputElement>('Set-up code').value).toBe('abcd')
  isRight = true
  fireEvent.submit(code.closest('form')!)
  expect(await screen.findByText(/^at \/(home|chat)$/)).toBeTruthy()
})
