import { expect, test } from 'vitest'
import { isAllowed, redirectTarget } from './redirects.ts'

const site = (siteUrl: string, ...redirectAllowList: string[]) => ({ siteUrl, redirectAllowList })

test('every page of the site itself is allowed', () => {
  const allowed = site('https://app.example')
  expect(isAllowed('https://app.example', allowed)).toBe(true)
  expect(isAllowed('https://app.example/new-password?x=1#y', allowed)).toBe(true)
  expect(isAllowed('http://app.example/', allowed)).toBe(false)
  expect(isAllowed('https://app.example:8443/', allowed)).toBe(false)
  expect(isAllowed('https://other.app.example/', allowed)).toBe(false)
})

test('any port is allowed when the site is on localhost', () => {
  expect(isAllowed('http://localhost:5173/home', site('http://localhost:8080'))).toBe(true)
})

test('a native app’s scheme is allowed when it is listed', () => {
  const allowed = site('https://app.example', 'com.example.app://**')
  expect(isAllowed('com.example.app://new-password', allowed)).toBe(true)
  expect(isAllowed('com.evil.app://new-password', allowed)).toBe(false)
})

test('`*` matches within one label, `**` across several', () => {
  const one = site('https://app.example', 'https://*.preview.example/*')
  expect(isAllowed('https://pr1.preview.example/home', one)).toBe(true)
  expect(isAllowed('https://a.b.preview.example/home', one)).toBe(false)
  expect(isAllowed('https://evil.example/.preview.example/home', one)).toBe(false)
  const two = site('https://app.example', 'https://preview.example/**')
  expect(isAllowed('https://preview.example/a/b.html', two)).toBe(true)
  expect(isAllowed('https://preview.example.evil.example/', two)).toBe(false)
})

test('schemes that run or embed code are never allowed, even when a pattern matches', () => {
  const everything = site('https://app.example', '**')
  for (const page of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd']) {
    expect(isAllowed(page, everything)).toBe(false)
  }
})

test('mails of a kind with a page of its own lead there, whatever a stranger asks for', () => {
  const allowed = site('https://app.example', 'https://app.example/**')
  const target = (asked: string) =>
    redirectTarget(
      new Request(`https://app.example/recover?redirect_to=${encodeURIComponent(asked)}`),
      allowed,
      '/new-password',
    )
  const page = 'https://app.example/new-password'
  expect(target(`${page}?from=app`)).toBe(`${page}?from=app`)
  for (const asked of ['https://app.example/health', 'https://evil.example/new-password', ''])
    expect(target(asked)).toBe(page)
})
