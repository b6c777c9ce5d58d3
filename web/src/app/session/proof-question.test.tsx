import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { MailboxEntry } from '#app/routing/mailbox-entry.tsx'
import { database } from '#data/supabase.ts'
import { TwoStepSheet } from '#features/profile/two-step-sheet.tsx'
import { connectSupabase, connectedConfig } from '#lib/server/supabase-connection.ts'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { aSession, fakeBackend, signedIn, type Call } from '../../../testing/fake-backend.ts'
import { ProofQuestion } from './proof-question.tsx'

type StubbedResponse = { status?: number; body?: unknown }

const UNPROVEN = {
  status: 428,
  body: { code: 'PT428', message: 'Confirm that it is you first' },
}
const DONE = { body: null }
const WRONG = { status: 400, body: { code: 'invalid_credentials', message: 'Invalid' } }
const WRONG_CODE = { status: 422, body: { code: 'mfa_verification_failed', message: 'Invalid' } }
const WITH_FACTOR = { factors: [{ id: 'f1', factor_type: 'totp', status: 'verified' }] }

let asked: Call[]
let alert: ReturnType<typeof vi.fn>
let proof: StubbedResponse
beforeEach(() => {
  alert = vi.fn()
  vi.stubGlobal('alert', alert)
})

/** A server that refuses each request once and responds to it the next time. */
function refusingOnce(
  responses: Record<string, StubbedResponse>,
  refusal: StubbedResponse = UNPROVEN,
) {
  const refused = new Set<string>()
  const once = ([request, response]: [string, StubbedResponse]) =>
    [request, () => (refused.has(request) ? response : (refused.add(request), refusal))] as const
  return Object.fromEntries(Object.entries(responses).map(once))
}

async function begin(
  responses: Parameters<typeof fakeBackend>[0],
  { user = {}, above = <p>The screen below</p> } = {},
) {
  asked = fakeBackend({
    'POST /auth/v1/token': () => proof,
    'POST /auth/v1/logout': {},
    'GET /auth/v1/user': { body: aSession(user).user },
    'POST /auth/v1/factors/f1/challenge': { body: { id: 'c1', type: 'totp' } },
    'POST /auth/v1/factors/f1/verify': () => proof,
    'POST /rest/v1/rpc/recovery_codes_left': { body: 10 },
    ...responses,
  })
  await signedIn(user)
  connectSupabase({ ...connectedConfig(), hasMailbox: true })
  proof = { body: aSession(user) }
  return renderScreen({
    path: '/admin',
    screen: (
      <>
        {above}
        <ProofQuestion />
      </>
    ),
  })
}

const suspend = () =>
  database.rpc('set_member_status', { member_id: 'theo', status: 'suspended', reason: 'Left' })
const countOf = (path: string, method = 'POST') =>
  asked.filter((each) => each.path.startsWith(path) && each.method === method).length
const press = (name: string) =>
  fireEvent.click(screen.getAllByRole('button', { name }).at(-1) as HTMLElement)
const type = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } })

const SUSPENDS = refusingOnce.bind(null, { 'POST /rest/v1/rpc/set_member_status': DONE })

test('what takes a fresh sign-in asks for the password, and is done once it is right', async () => {
  await begin(SUSPENDS())
  const done = Promise.resolve(suspend())
  const field = await screen.findByLabelText('Password')
  await waitFor(() => expect(document.activeElement).toBe(field))
  screen.getByRole('dialog', { name: "Confirm it's you" })
  proof = WRONG
  await type('Password', 'guessed')
  press('Confirm')
  await waitFor(() =>
    expect(alert).toHaveBeenCalledWith("Not confirmed: That password isn't correct"),
  )
  expect(countOf('/rest/v1/rpc/set_member_status')).toBe(1)

  proof = { body: aSession() }
  await type('Password', 'secret')
  press('Confirm')
  expect((await done).error).toBeNull()
  expect(countOf('/rest/v1/rpc/set_member_status')).toBe(2)
  // The session from before ends, so that none is left over.
  expect(countOf('/auth/v1/logout?scope=local')).toBe(1)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('closed without an answer, nothing is done, and the refusal is the result', async () => {
  await begin(SUSPENDS())
  const done = Promise.resolve(suspend())
  await screen.findByLabelText('Password')
  press('Close')
  expect(await done).toMatchObject({ status: 428, error: { code: 'PT428' } })
  expect(countOf('/rest/v1/rpc/set_member_status')).toBe(1)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a forgotten password is replaced by mail: nothing is done, and the question does not stay in the way', async () => {
  await begin(SUSPENDS())
  const done = Promise.resolve(suspend())
  fireEvent.click(await screen.findByRole('link', { name: 'Forgot Password?' }))
  expect((await done).status).toBe(428)
  expect(screen.queryByRole('dialog')).toBeNull()
  screen.getByText('at /forgot-password')
  screen.getByText('with {"email":"maya@example.com"}')
})

test('two requests at once are one question', async () => {
  await begin({
    ...SUSPENDS(),
    ...refusingOnce({ 'POST /rest/v1/rpc/set_supervisor': DONE }),
  })
  const both = Promise.all([
    suspend(),
    database.rpc('set_supervisor', { member_id: 'theo', can_supervise: true }),
  ])
  await type('Password', 'secret')
  press('Confirm')
  expect((await both).map(({ error }) => error)).toEqual([null, null])
  expect(countOf('/auth/v1/token')).toBe(1)
})

test('who leaves the app meanwhile has not confirmed it', async () => {
  const { unmount } = await begin(SUSPENDS())
  const done = Promise.resolve(suspend())
  await screen.findByLabelText('Password')
  unmount()
  expect((await done).status).toBe(428)
})

const twoStep = (onDone = () => {}) => ({
  user: WITH_FACTOR,
  above: <TwoStepSheet email="maya@example.com" onDone={onDone} />,
})

test('with two-step verification a code is asked for: new recovery codes', async () => {
  await begin(
    refusingOnce({ 'POST /rest/v1/rpc/create_recovery_codes': { body: ['7k0m-q2xz-9h4t'] } }),
    twoStep(),
  )
  press('New recovery codes')
  press('Make new codes')
  await type('6-digit code', '123 456')
  press('Confirm')
  await screen.findByText('7k0m-q2xz-9h4t')
  const [verified] = asked.filter(({ path }) => path === '/auth/v1/factors/f1/verify')
  expect(verified?.body).toMatchObject({ code: '123456' })
  expect(alert).not.toHaveBeenCalled()
})

test('turning two-step verification off takes a code as well; a wrong one changes nothing', async () => {
  const onDone = vi.fn<() => void>()
  const again = {
    status: 400,
    body: { code: 'reauthentication_needed', message: 'Sign in again' },
  }
  await begin(
    refusingOnce({ 'DELETE /auth/v1/factors/f1': { body: { id: 'f1' } } }, again),
    twoStep(onDone),
  )
  press('Turn off')
  press('Turn off')
  proof = WRONG_CODE
  await type('6-digit code', '123456')
  press('Confirm')
  await waitFor(() =>
    expect(alert).toHaveBeenCalledWith(
      expect.stringMatching(/^Not confirmed: That code isn't right/),
    ),
  )
  expect(countOf('/auth/v1/factors/f1', 'DELETE')).toBe(1)
  proof = { body: aSession(WITH_FACTOR) }
  press('Confirm')
  await waitFor(() => expect(onDone).toHaveBeenCalled())
})

test('the mails of an installation without a mail server take a proof, and stay closed without one', async () => {
  await begin(refusingOnce({ 'POST /_mail/open': DONE }, { status: 428 }), {
    above: <MailboxEntry />,
  })
  fireEvent.click(screen.getByRole('button', { name: /^Server mailbox/ }))
  await screen.findByLabelText('Password')
  press('Close')
  await waitFor(() => screen.getByRole('button', { name: /^Server mailbox/ }))
  expect(countOf('/_mail/open')).toBe(1)
  expect(alert).not.toHaveBeenCalled()
})
