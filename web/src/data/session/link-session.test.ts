import { beforeEach, expect, test, vi } from 'vitest'
import { aSession } from '../../../testing/fake-backend.ts'
import {
  acceptOfferedSession,
  admitLinkSession,
  declineOfferedSession,
  offer,
  takeNewcomer,
} from './link-session.ts'
import { SESSION_KEY } from './stored-session.ts'

const part = (value: unknown) => btoa(JSON.stringify(value)).replaceAll('=', '')
const tokenOf = (sub: string) => `${part({})}.${part({ sub, email: `${sub}@example.com` })}.c2ln`
const link = (sub: string) => `#access_token=${tokenOf(sub)}&refresh_token=r&type=magiclink`

function open(path: string, hash: string) {
  history.replaceState(null, '', path + hash)
  admitLinkSession(location)
  return location.hash
}

beforeEach(() => {
  localStorage.clear()
  declineOfferedSession()
  takeNewcomer()
})
const signedInAsMaya = () => localStorage.setItem(SESSION_KEY, JSON.stringify(aSession()))

test('another account’s link does not replace who is signed in: it is asked about, and leaves the address', () => {
  signedInAsMaya()
  for (const path of ['/home', '/email-verify', '/new-password']) {
    expect(open(path, link('mallory'))).toBe('')
  }
})

test('a page that a browser would read as another site’s is not where the question leads', () => {
  const hash = link('mallory')
  const pathname = '//evil.example/home'
  admitLinkSession({ ...location, pathname, search: '', hash })
  expect(location.pathname).toBe('/evil.example/home')
})

test('one’s own link opens without a question', () => {
  signedInAsMaya()
  expect(open('/new-password', link('maya'))).toBe(link('maya'))
  expect(takeNewcomer()).toBe('')
})

test('with nobody signed in, pages that mails link to open, and say as whom; any other page asks', () => {
  expect(open('/email-verify', link('nina'))).toBe(link('nina'))
  expect(takeNewcomer()).toBe('nina@example.com')
  expect(open('/chat', link('mallory'))).toBe('')
})

test('a token that is none is not believed to be one’s own', () => {
  signedInAsMaya()
  expect(open('/home', '#access_token=nonsense&refresh_token=r')).toBe('')
})

test('nobody is signed out for a link that does not work', async () => {
  signedInAsMaya()
  const session = { access_token: tokenOf('mallory'), refresh_token: 'r' }
  expect(offer(session, '/home', false)).toBe(true)
  const leave = vi.fn(() => Promise.resolve())
  const auth = { getUser: () => Promise.resolve({ error: new Error('refused') }) }
  const offered = { ...session, email: '', currentEmail: '', path: '/home' }
  expect(await acceptOfferedSession(offered, auth as never, leave)).toBe(false)
  expect(leave).not.toHaveBeenCalled()
})
