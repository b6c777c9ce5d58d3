import { expect, test, vi } from 'vitest'
import { loadConfig } from './load-config.ts'

const serverResponds = (body: unknown, status = 200) =>
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body), { status }))

test('an embedded build fetches the configuration from its own server', async () => {
  serverResponds({ supabaseUrl: 'http://team.test/', supabaseKey: 'sb_publishable_x' })
  expect(await loadConfig()).toEqual({
    supabaseUrl: 'http://team.test',
    supabaseKey: 'sb_publishable_x',
  })
})

test('an embedded app talks to the address it was opened at, and knows the site’s', async () => {
  const site = { siteUrl: 'https://team.test', supabaseKey: 'sb_publishable_x' }
  serverResponds({ supabaseUrl: '/', ...site })
  expect(await loadConfig()).toEqual({ supabaseUrl: location.origin, ...site })
})

test('a hosted build has its configuration built in and fetches nothing', async () => {
  vi.stubEnv('VITE_SUPABASE_URL', 'https://project.supabase.test')
  vi.stubEnv('VITE_SUPABASE_PUBLISHABLE_KEY', 'sb_publishable_y')
  serverResponds({}, 500)
  expect(await loadConfig()).toEqual({
    supabaseUrl: 'https://project.supabase.test',
    supabaseKey: 'sb_publishable_y',
  })
  vi.unstubAllEnvs()
})

test.each([
  ['an error', {}, 503],
  ['something else', { hello: 'world' }, 200],
])('%s instead of a configuration is refused', async (_, body, status) => {
  serverResponds(body, status)
  await expect(loadConfig()).rejects.toThrow()
})
