import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../../testing/start-test-backend.ts'

let backend: TestBackend
beforeAll(async () => {
  backend = await startTestBackend()
})
afterAll(() => backend.close())

test('a data request runs under the role and claims of its caller', async () => {
  const { rows } = await backend.database.runAs(
    { role: 'anon', claimsText: '{"role":"anon"}' },
    {
      name: 'who',
      text: `select current_user as role, current_setting('request.jwt.claims') as claims`,
    },
  )
  expect(rows).toEqual([{ role: 'anon', claims: '{"role":"anon"}' }])
})
