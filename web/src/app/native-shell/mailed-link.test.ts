import { expect, test } from 'vitest'
import { aSession, fakeBackend } from '../../../testing/fake-backend.ts'
import { mailedLinkOf, redeem } from './mailed-link.ts'

const linkTo = (page: string) =>
  new URL(
    `https://team.example.com/auth/v1/verify?token=t1&type=recovery&redirect_to=${encodeURIComponent(page)}`,
  )

test('a mailed link yields its token, its type and the page to open next', () => {
  expect(mailedLinkOf(linkTo('https://team.example.com/new-password'))).toEqual({
    token: 't1',
    type: 'recovery',
    path: '/new-password',
  })
  expect(mailedLinkOf(linkTo('https://team.example.com//evil.example'))?.path).toBe('/evil.example')
  expect(mailedLinkOf(linkTo('words'))?.path).toBe('/')
  expect(mailedLinkOf(new URL('https://team.example.com/chat/1'))).toBeNull()
})

test('opened in the app, it signs in there and continues on its page', async () => {
  const asked = fakeBackend({ 'POST /auth/v1/verify': { body: aSession() } })
  const link = mailedLinkOf(linkTo('https://team.example.com/new-password'))!
  expect(await redeem(link)).toBe('/new-password')
  expect(asked[0]?.body).toMatchObject({ token_hash: 't1', type: 'recovery' })
})

test('a link that was already used opens its page with the reason', async () => {
  fakeBackend({
    'POST /auth/v1/verify': { status: 403, body: { code: 'otp_expired', message: 'expired' } },
  })
  const link = mailedLinkOf(linkTo('https://team.example.com/new-password'))!
  expect(await redeem(link)).toBe('/new-password#error_code=otp_expired')
})

test('the page knows which invitation the mail was about, whether its link worked or not', async () => {
  const page = '/create-account?invitation=6f1'
  const link = mailedLinkOf(linkTo(`https://team.example.com${page}`))!
  expect(link.path).toBe(page)
  fakeBackend({
    'POST /auth/v1/verify': { status: 403, body: { code: 'otp_expired', message: 'expired' } },
  })
  expect(await redeem(link)).toBe(`${page}#error_code=otp_expired`)
})
