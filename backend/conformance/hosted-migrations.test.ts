// Migrations written for a hosted project apply here, also where what they change has no effect.
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRestBackend, type RestBackend } from './rest-backend.ts'

let backend: RestBackend
let owner: pg.Client
beforeAll(async () => {
  backend = await startRestBackend()
  owner = new pg.Client(backend.ownerUrl)
  await owner.connect()
})
afterAll(async () => {
  await owner.query('alter role authenticator reset pgrst.db_max_rows')
  await owner.end()
  await backend.close()
})

test.each([
  "alter role authenticator set pgrst.db_schemas = 'public, api'",
  'alter role authenticator set pgrst.db_max_rows to 500',
  "alter role authenticator set pgrst.db_aggregates_enabled = 'true'",
  "notify pgrst, 'reload config'",
  'alter role authenticator reset pgrst.db_schemas',
  'alter role authenticator reset pgrst.db_aggregates_enabled',
  'alter publication supabase_realtime add table public.films',
  'alter publication supabase_realtime set table public.films, public.actors',
  'alter publication supabase_realtime drop table public.films',
  'drop publication if exists supabase_realtime; create publication supabase_realtime;',
])('%s is accepted from the owner', async (sql) => {
  await expect(owner.query(sql)).resolves.toBeDefined()
  expect((await backend.db.from('films').select('id').eq('id', 1)).data).toEqual([{ id: 1 }])
})

test('the owner may alter the login of the Data API, but not become it', async () => {
  await expect(owner.query('set role authenticator')).rejects.toMatchObject({ code: '42501' })
})
