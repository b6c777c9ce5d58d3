import { afterEach, expect, test, vi } from 'vitest'
import { connectSupabase } from './supabase-connection.ts'
import { mailedPage, siteAddress, toReachableUrl, toStoredUrl } from './site-address.ts'

afterEach(() => vi.unstubAllEnvs())

function insideTheApp() {
  vi.stubGlobal('Capacitor', { isNativePlatform: () => true })
  connectSupabase({ supabaseUrl: 'https://team.example.com', supabaseKey: 'sb_publishable_test' })
}
afterEach(() => void vi.unstubAllGlobals())

test('in a browser, mail links lead to the open site', () => {
  expect(mailedPage('/email-verify')).toBe(`${location.origin}/email-verify`)
})

test('opened at another address of an embedded server, mail links and stored files keep the site’s', () => {
  const here = 'http://127.0.0.1:8080'
  const site = 'https://team.test'
  connectSupabase({ supabaseUrl: here, siteUrl: site, supabaseKey: 'sb_publishable_test' })
  expect(mailedPage('/new-password')).toBe(`${site}/new-password`)
  expect(toStoredUrl(`${here}/storage/v1/one.png`)).toBe(`${site}/storage/v1/one.png`)
  expect(toReachableUrl(`${site}/storage/v1/one.png`)).toBe(`${here}/storage/v1/one.png`)
  expect(toReachableUrl('https://elsewhere.test/one.png')).toBe('https://elsewhere.test/one.png')
})

test('in the native app, mail links lead to the site, marked as requested by the app', () => {
  insideTheApp()
  expect(mailedPage('/new-password')).toBe('https://team.example.com/new-password?from-app=1')
})

test('when site and backend have different addresses, the build names the site', () => {
  insideTheApp()
  vi.stubEnv('VITE_SITE_URL', 'https://app.example.com/')
  expect(siteAddress()).toBe('https://app.example.com')
})
