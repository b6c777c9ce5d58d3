import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { aSession, fakeBackend, signedIn, type Call } from '../../../testing/fake-backend.ts'
import { TwoStepSheet } from './two-step-sheet.tsx'

const FACTOR = {
  id: 'f1',
  type: 'totp',
  friendly_name: 'Rally',
  totp: { qr_code: '<svg/>', secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Rally' },
}
const SIGN_IN_AGAIN = {
  status: 403,
  body: { code: 'reauthentication_needed', message: 'Sign in again' },
}
const WRONG = { status: 400, body: { code: 'invalid_credentials', message: 'Invalid' } }

const REPLACED = { status: 404, body: { code: 'mfa_factor_not_found', message: 'Not found' } }

let asked: Call[]
let passwordResponse: { status?: number; body: unknown }
let codeResponse: { status?: number; body: unknown }
beforeEach(async () => {
  passwordResponse = { body: aSession() }
  codeResponse = SIGN_IN_AGAIN
  asked = fakeBackend(BACKEND)
})
const BACKEND = {
  'POST /auth/v1/token': () => passwordResponse,
  'POST /auth/v1/logout': {},
  'GET /auth/v1/user': { body: aSession().user },
  'POST /auth/v1/factors/f1/challenge': { body: { id: 'c1', type: 'totp' } },
  'POST /auth/v1/factors/f1/verify': () => codeResponse,
  'POST /auth/v1/factors': { body: FACTOR },
  'POST /rest/v1/rpc/recovery_codes_left': { body: 10 },
}
afterEach(() => void vi.useRealTimers())

async function open(user = {}) {
  await signedIn(user)
  const onDone = vi.fn<() => void>()
  renderScreen({
    path: '/profile',
    screen: <TwoStepSheet email="maya@example.com" onDone={onDone} />,
  })
  return onDone
}
const goOn = () => fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
const turnOn = () => fireEvent.click(screen.getByRole('button', { name: 'Turn on' }))
const askedFor = (path: string) => asked.filter((each) => each.path.startsWith(path))

async function begin() {
  await open()
  fireEvent.change(await screen.findByLabelText('Password'), { target: { value: 'secret' } })
  goOn()
  fireEvent.change(await screen.findByLabelText('6-digit code'), { target: { value: '123456' } })
}

async function expectToBeginAgain(reason: string) {
  await screen.findByLabelText('Password')
  expect(screen.getByText(reason)).toBeDefined()
  expect(alert).toHaveBeenCalledWith(`Two-step verification is not on yet: ${reason}`)
}
const LATE = 'That took more than 15 minutes. Enter your password again.'

test('beginning takes the password, and the session from before ends', async () => {
  await begin()
  expect(askedFor('/auth/v1/token')[0]?.body).toMatchObject({ password: 'secret' })
  expect(askedFor('/auth/v1/logout?scope=local')).toHaveLength(1)
})

test('a wrong password shows no key', async () => {
  passwordResponse = WRONG
  await open()
  fireEvent.change(await screen.findByLabelText('Password'), { target: { value: 'wrong' } })
  goOn()
  await vi.waitFor(() =>
    expect(alert).toHaveBeenCalledWith(
      "Error setting up two-step verification: That password isn't correct",
    ),
  )
  expect(askedFor('/auth/v1/factors')).toEqual([])
})

test('after a quarter of an hour the password is asked for again, and no code is sent', async () => {
  await begin()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * 60_000 })
  turnOn()
  await expectToBeginAgain(LATE)
  expect(askedFor('/auth/v1/factors/f1')).toEqual([])
})

test('the password is asked for again, too, when the server says that it took too long', async () => {
  await begin()
  turnOn()
  await expectToBeginAgain(LATE)
})

test('a set-up that was started again elsewhere says so', async () => {
  codeResponse = REPLACED
  await begin()
  turnOn()
  await expectToBeginAgain(
    'It was started again in another tab or on another device, so this key no longer counts. Enter your password again.',
  )
})
