import { afterEach, expect, test, vi } from 'vitest'
import { connectSupabase } from './supabase-connection.ts'
import { mailedPage, siteAddress } from './site-address.ts'

afterEach(() => vi.unstubAllEnvs())

function insideTheApp() {
  vi.stubGlobal('Capacitor', { isNativePlatform: () => true })
  connectSupabase({ supabaseUrl: 'https://team.example.com', supabaseKey: 'sb_publishable_test' })
}
afterEach(() => void vi.unstubAllGlobals())

test('in a browser mails lead to the site that is open', () => {
  expect(mailedPage('/email-verify')).toBe(`${location.origin}/email-verify`)
})

test('in the native app mails lead to the site, which knows that the app asked for them', () => {
  insideTheApp()
  expect(mailedPage('/new-password')).toBe('https://team.example.com/new-password?from-app=1')
})

test('where site and backend have different addresses, the build names the site', () => {
  insideTheApp()
  vi.stubEnv('VITE_SITE_URL', 'https://app.example.com/')
  expect(siteAddress()).toBe('https://app.example.com')
})
