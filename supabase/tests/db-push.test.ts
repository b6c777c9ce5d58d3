// Hosted projects get the migrations through the Supabase CLI; here it runs against a database with only what every
// project starts with.
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from 'backend/testing/start-test-backend.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CLI = fileURLToPath(new URL('../../node_modules/.bin/supabase', import.meta.url))
const migrations = readdirSync(new URL('../migrations', import.meta.url)).filter((name) =>
  name.endsWith('.sql'),
)

let backend: TestBackend
beforeAll(async () => {
  backend = await startTestBackend({ migrations: 'none' })
})
afterAll(() => backend?.close())

async function push(): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(
    CLI,
    ['db', 'push', '--yes', '--db-url', `${backend.ownerUrl}?sslmode=disable`],
    { cwd: ROOT },
  )
  return stdout + stderr
}

test('supabase db push applies the migrations as the role postgres, and a second push has nothing to do', async () => {
  await push()
  const owner = new pg.Client({ connectionString: backend.superuserUrl })
  await owner.connect()
  const { rows } = await owner.query<{ version: string }>(
    'select version from supabase_migrations.schema_migrations order by version',
  )
  const { rows: chats } = await owner.query('select type from public.chats')
  await owner.end()
  expect(rows.map((row) => row.version)).toEqual(migrations.map((name) => name.split('_')[0]))
  expect(chats).toEqual([{ type: 'mandatory' }])
  expect(await push()).toMatch(/up to date/i)
}, 60_000)
