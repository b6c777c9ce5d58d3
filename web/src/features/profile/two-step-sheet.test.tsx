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

let asked: Call[]
let passwordAnswer: { status?: number; body: unknown }
beforeEach(async () => {
  passwordAnswer = { body: aSession() }
  asked = fakeBackend({
    'POST /auth/v1/token': () => passwordAnswer,
    'POST /auth/v1/logout': {},
    'GET /auth/v1/user': { body: aSession().user },
    'POST /auth/v1/factors/f1/challenge': { body: { id: 'c1', type: 'totp' } },
    'POST /auth/v1/factors/f1/verify': SIGN_IN_AGAIN,
    'POST /auth/v1/factors': { body: FACTOR },
  })
  await signedIn()
  renderScreen({
    path: '/profile',
    screen: <TwoStepSheet email="maya@example.com" onDone={() => {}} />,
  })
})
afterEach(() => void vi.useRealTimers())

const turnOn = () => fireEvent.click(screen.getByRole('button', { name: 'Turn on' }))
const askedFor = (path: string) => asked.filter((each) => each.path.startsWith(path))

async function begin() {
  fireEvent.change(await screen.findByLabelText('Password'), { target: { value: 'secret' } })
  turnOn()
  fireEvent.change(await screen.findByLabelText('6-digit code'), { target: { value: '123456' } })
}

async function expectToBeginAgain() {
  await screen.findByLabelText('Password')
  expect(alert).toHaveBeenCalledWith(
    'Two-step verification is not on yet: That took more than 15 minutes. Enter your password again.',
  )
}

test('beginning takes the password, and the session from before ends', async () => {
  await begin()
  expect(askedFor('/auth/v1/token')[0]?.body).toMatchObject({ password: 'secret' })
  expect(askedFor('/auth/v1/logout?scope=local')).toHaveLength(1)
})

test('a wrong password shows no key', async () => {
  passwordAnswer = WRONG
  fireEvent.change(await screen.findByLabelText('Password'), { target: { value: 'wrong' } })
  turnOn()
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
  await expectToBeginAgain()
  expect(askedFor('/auth/v1/factors/f1')).toEqual([])
})

test('so it is when the server says so', async () => {
  await begin()
  turnOn()
  await expectToBeginAgain()
})
