import { expect, test } from 'vitest'
import pg from 'pg'
import { startTestBackend } from 'backend/testing/start-test-backend.ts'
import { readSettings } from './settings.ts'
import { issueSetUpCode } from './set-up-code.ts'

test('each start prints a new code until there is an admin', async () => {
  const backend = await startTestBackend({ migrations: 'product' })
  const owner = new pg.Client({ connectionString: backend.superuserUrl })
  try {
    const issue = (own?: string) => issueSetUpCode(backend.superuserUrl, own)
    const first = await issue()
    expect(first).toMatch(/^\w{4}-\w{4}-\w{4}$/)
    expect(await issue()).not.toBe(first)
    expect(await issue('our-own-words-22')).toBe('our-own-words-22')
    await owner.connect()
    await owner.query(
      `insert into auth.users (id, email, email_confirmed_at) values (gen_random_uuid(), 'dana@example.com', now())`,
    )
    await owner.query(`select private.appoint_admin('dana@example.com')`)
    expect(await issue()).toBeNull()
  } finally {
    await owner.end()
    await backend.close()
  }
})

test('a code of the operator’s own has at least 12 letters or digits', () => {
  expect(readSettings({ SETUP_CODE: 'our-own-words-22' }).SETUP_CODE).toBe('our-own-words-22')
  expect(() => readSettings({ SETUP_CODE: 'a-b-c-d-e-f-g' })).toThrow(
    'Setting SETUP_CODE must have at least 12 letters or digits.',
  )
})
