// `db-pre-request`: a project's function that runs before every request, with the request's role, claims and headers.
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startRestBackend, type RestBackend } from './rest-backend.ts'

const CHECK = `
  create function public."Check request"() returns void language plpgsql as $$
  begin
    if current_setting('request.headers')::json ->> 'x-refuse' is not null then
      raise sqlstate 'PT402' using message = 'refused as ' || current_user;
    end if;
  end
  $$;`

let backend: RestBackend
beforeAll(async () => {
  backend = await startRestBackend({ sql: CHECK })
})
afterAll(() => backend.close())

/** Changes the setting as a migration would, and has it read. */
async function configure(change: string) {
  const owner = new pg.Client({ connectionString: backend.superuserUrl })
  await owner.connect()
  await owner.query('set role postgres')
  const { rows } = await owner.query<{ name: string }>('select current_database() as name')
  await owner.query(
    `alter role authenticator in database ${owner.escapeIdentifier(rows[0]?.name ?? '')} ${change}`,
  )
  await owner.query("notify pgrst, 'reload config'")
  await owner.end()
}

const refused = () => backend.send('/films?select=id', { headers: { 'x-refuse': 'yes' } })

test('the function refuses a request with its own status, as the role of the request', async () => {
  await configure("set pgrst.db_pre_request = 'public.Check request'")
  await vi.waitFor(async () => expect((await refused()).status).toBe(402), { timeout: 10_000 })
  const body = (await (await refused()).json()) as { code: string; message: string }
  expect(body).toMatchObject({ code: 'PT402', message: 'refused as anon' })
})

test('whatever it lets through is handled as usual, reads, writes and calls', async () => {
  expect((await backend.db.from('films').select('id').eq('id', 1)).data).toEqual([{ id: 1 }])
  expect((await backend.send('/rpc/count_all?numbers=4&numbers=5')).status).toBe(200)
})

test('without the setting nothing runs', async () => {
  await configure('reset pgrst.db_pre_request')
  await vi.waitFor(async () => expect((await refused()).status).toBe(200), { timeout: 10_000 })
})
