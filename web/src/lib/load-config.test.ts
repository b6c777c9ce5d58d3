import { expect, test, vi } from 'vitest'
import { loadConfig } from './load-config.ts'

const serverAnswers = (body: unknown, status = 200) =>
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body), { status }))

test('an embedded build asks its own server', async () => {
  serverAnswers({ supabaseUrl: 'http://team.test/', supabaseKey: 'sb_publishable_x' })
  expect(await loadConfig()).toEqual({
    supabaseUrl: 'http://team.test',
    supabaseKey: 'sb_publishable_x',
  })
})

test('a hosted build carries its configuration and asks nobody', async () => {
  vi.stubEnv('VITE_SUPABASE_URL', 'https://project.supabase.test')
  vi.stubEnv('VITE_SUPABASE_PUBLISHABLE_KEY', 'sb_publishable_y')
  serverAnswers({}, 500)
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
  serverAnswers(body, status)
  await expect(loadConfig()).rejects.toThrow()
})
