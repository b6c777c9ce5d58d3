// The function `invite` under the runtime it has on hosted Supabase: the real Deno, talking to the services over HTTP.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from 'backend/postgres/free-port.ts'
import { DENO, functionFile, serveWithDeno } from './deno.ts'
import { inviteScene, type InviteScene } from './invite-scene.ts'

let scene: InviteScene
let served: Awaited<ReturnType<typeof serveWithDeno>>

beforeAll(async () => {
  scene = await inviteScene()
  served = await serveWithDeno('invite', await freePort(), {
    SUPABASE_URL: scene.backend.url,
    SUPABASE_ANON_KEY: scene.backend.publishableKey,
    SUPABASE_SERVICE_ROLE_KEY: scene.backend.secretKey,
  })
}, 60_000)
afterAll(async () => {
  await served?.stop()
  await scene?.close()
})

test('an admin invites; a member and a visitor are refused', async () => {
  const dana = await scene.aMember()
  const maya = await scene.aMember()
  const ask = (token: string | null, email: string) =>
    scene.invite(token, [{ email }], { address: served.address })
  expect(await ask(dana.token, 'new@example.com')).toEqual({
    status: 200,
    results: [{ email: 'new@example.com', outcome: 'invited' }],
  })
  expect(scene.mailTo('new@example.com')?.subject).toMatch(/invites you to Test$/)
  expect((await ask(maya.token, 'other@example.com')).status).toBe(403)
  expect((await ask(null, 'other@example.com')).status).toBe(401)
})

test('requests from another origin are allowed', async () => {
  const preflight = await fetch(served.address, { method: 'OPTIONS' })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
  const refused = await fetch(served.address, { method: 'POST' })
  expect(refused.headers.get('access-control-allow-origin')).toBe('*')
})

test.each(['archive', 'invite', 'preview', 'push'])(
  '%s type-checks under Deno',
  async (name) => {
    const options = ['--no-config', '--no-lock', '--no-remote', '--no-npm', '--quiet']
    await promisify(execFile)(DENO, ['check', ...options, functionFile(name)], {
      env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' },
    })
  },
  30_000,
)
