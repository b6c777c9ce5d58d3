// Hosted projects get the migrations through the Supabase CLI; here it runs against a database with only what every
// project starts with.
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { cloneDatabase, databaseUrl, dropDatabase } from 'backend/testing/test-cluster.ts'
import { startTestBackend, type TestBackend } from 'backend/testing/start-test-backend.ts'
import { compareCatalogues } from '../tools/compare-catalogues.ts'
import { readCatalogueAt } from '../tools/read-catalogue.ts'

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

// All that decides about a right: owners, because functions run with theirs, the roles' own powers, and the catalogue with its
// policies, grants and functions.
test('what was pushed is the database that the rights are tested on', async () => {
  await push()
  const tested = { cluster: inject('clusterUrl'), name: 'rights_are_tested_on' }
  await cloneDatabase(tested.cluster, tested.name, 'with_product')
  const url = databaseUrl(tested.cluster, tested.name)
  try {
    const pushed = backend.superuserUrl
    const differences = compareCatalogues(await readCatalogueAt(url), await readCatalogueAt(pushed))
    expect(differences).toEqual([])
    const owners = await ownersAndRoles(pushed)
    expect(owners).toEqual(await ownersAndRoles(url))
    expect(owners).toContain('role postgres: superuser false')
    expect(owners.filter((each) => each.startsWith('owner'))).toEqual(['owner postgres'])
  } finally {
    await dropDatabase(tested.cluster, tested.name)
  }
}, 60_000)

/** Who owns what the migrations made, and which powers the roles of a project have. */
async function ownersAndRoles(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ fact: string }>(`
      with made as (select oid from pg_namespace where nspname in ('public', 'private', 'archive'))
      select 'owner ' || owner::regrole as fact from (
        select relowner as owner from pg_class where relnamespace in (select oid from made)
        union select proowner from pg_proc where pronamespace in (select oid from made)
      ) owned
      union all
      select 'role ' || rolname || ': superuser ' || rolsuper::text from pg_roles
      where rolname in ('postgres', 'anon', 'authenticated', 'service_role', 'authenticator')
      union all
      select 'role ' || rolname || ': bypasses policies ' || rolbypassrls::text from pg_roles
      where rolname in ('postgres', 'anon', 'authenticated', 'service_role', 'authenticator')
      order by fact`)
    return rows.map(({ fact }) => fact)
  } finally {
    await client.end()
  }
}
