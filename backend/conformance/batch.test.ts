// Several requests to the Data API in one: nothing but the round trips may differ.
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '../src/gateway/limits.ts'
import { post, startWithCallers } from './rest-callers.ts'

type Part = { method: string; path: string; headers?: Record<string, string>; body?: string }
type PartResponse = { status: number; headers: Record<string, string>; body: string }

let scene: Awaited<ReturnType<typeof startWithCallers>>
beforeAll(async () => {
  scene = await startWithCallers(`
    create table public.notes (id int primary key, owner uuid default auth.uid());
    alter table public.notes enable row level security;
    create policy own on public.notes to authenticated using (owner = auth.uid()) with check (owner = auth.uid());
    insert into public.notes (id, owner) values (1, gen_random_uuid());
    create function public.add_note(id int) returns int language sql as $$ insert into public.notes (id) values (add_note.id) returning id $$;
    create function public.called_as() returns text language sql stable as $$ select current_user $$;
    create function public.held_up() returns int language sql as $$ select 1 from (select pg_advisory_xact_lock_shared(1)) held $$;
    create function public.large() returns text language sql stable as $$ select repeat('x', 3000000) $$;
    create function public.broken() returns int language sql stable as $$ select 1 / (select 0) $$;
    create function public.down() returns int language plpgsql as $$ begin raise sqlstate 'PT503' using message = 'down'; end $$;
    create function public.request_path() returns text language sql stable
      as $$ select current_setting('request.path') || ' ' || coalesce(current_setting('request.headers')::json ->> 'x-own', '') $$;
  `)
})
afterAll(() => scene.backend.close())

const call = (name: string, values: object = {}): Part => ({
  method: 'POST',
  path: `/rest/v1/rpc/${name}`,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(values),
})
const read = (what: string, headers = {}): Part => ({
  method: 'GET',
  path: `/rest/v1/${what}`,
  headers,
})

async function send(parts: unknown, as = scene.asMember) {
  const { publishableKey: apikey, url } = scene.backend
  const init = post(parts)
  const response = await fetch(
    `${url}/batch/v1`,
    as({ ...init, headers: { apikey, ...init.headers } }),
  )
  return { status: response.status, responses: (await response.json()) as PartResponse[] }
}

const bodies = (responses: PartResponse[]) =>
  responses.map(({ body }) => JSON.parse(body) as unknown)

test('each part has its response in its place, as if it had been sent alone', async () => {
  const parts = [
    read('notes?select=id', { prefer: 'count=exact' }),
    call('request_path'),
    read('nowhere'),
    { method: 'HEAD', path: '/rest/v1/notes' },
    call('broken'),
  ]
  const { status, responses } = await send(parts)
  expect(status).toBe(200)
  for (const [place, { method, path, headers, body }] of parts.entries()) {
    const init = scene.asMember({ method, headers, ...(body && { body }) })
    const alone = await scene.backend.send(path.replace('/rest/v1', ''), init)
    expect(responses[place]).toEqual({
      status: alone.status,
      headers: expect.objectContaining({
        'content-type': alone.headers.get('content-type'),
      }) as object,
      body: await alone.text(),
    })
  }
  expect(responses[0]?.headers['content-range']).toBe('*/0')
})

test('a part has the rights of the batch’s caller, whatever its own headers claim', async () => {
  const headers = {
    authorization: `Bearer ${scene.backend.secretKey}`,
    apikey: scene.backend.secretKey,
  }
  const asMember = await send([
    { ...call('called_as'), headers: { ...headers, 'content-type': 'application/json' } },
    read('notes', headers),
    call('called_as'),
  ])
  expect(bodies(asMember.responses)).toEqual(['authenticated', [], 'authenticated'])
  const asAnybody = await send([call('called_as')], (init = {}) => init)
  expect(bodies(asAnybody.responses)).toEqual(['anon'])
})

test('a part that is refused takes nothing of the others with it', async () => {
  const { responses } = await send([
    call('add_note', { id: 5 }),
    call('add_note', { id: 1 }),
    call('add_note', { id: 6 }),
  ])
  expect(responses.map(({ status }) => status)).toEqual([200, 409, 200])
  expect(bodies((await send([read('notes?select=id&order=id')])).responses)).toEqual([
    [{ id: 5 }, { id: 6 }],
  ])
})

test('a batch has the status of a part that failed, so that metrics count it', async () => {
  const { status, responses } = await send([call('called_as'), call('down')])
  expect(status).toBe(503)
  expect(responses.map((response) => response.status)).toEqual([200, 503])
})

test('the responses together are limited', async () => {
  const parts = Array.from({ length: 4 }, () => call('large'))
  const { responses } = await send(parts)
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 400, 400])
})

test.each([
  ['nothing', []],
  ['no list', { method: 'GET', path: '/rest/v1/notes' }],
  ['too many', Array.from({ length: LIMITS.batchParts + 1 }, () => read('notes'))],
  ['another service', [{ method: 'GET', path: '/auth/v1/user' }]],
  ['another method', [{ method: 'DELETE', path: '/rest/v1/notes' }]],
  ['no JSON', 'no JSON'],
  ['a header of two lines', [read('notes', { prefer: 'count=exact\r\nx-own: 1' })]],
  ['a header that no client can send', [read('notes', { prefer: 'ñandú €' })]],
])('a batch of %s is refused', async (_, parts) => {
  const { status, responses } = await send(parts)
  expect([status, responses]).toMatchObject([400, { code: 'bad_request' }])
})

test.each(['/rest/v1/../../auth/v1/user', '/rest/v1/%2e%2e/auth/v1/user', '/rest/v1//notes'])(
  'a part leads nowhere else: %s',
  async (path) => {
    const { responses } = await send([{ method: 'GET', path }])
    expect(responses[0]?.status).toBe(404)
  },
)

test('of one caller only so many parts wait at once, and others get responses meanwhile', async () => {
  const owner = new pg.Client({ connectionString: scene.backend.superuserUrl })
  await owner.connect()
  await owner.query('select pg_advisory_lock(1)')
  const batch = () => send(Array.from({ length: LIMITS.batchParts }, () => call('held_up')))
  const waiting = Array.from({ length: LIMITS.batchPartsPerCaller / LIMITS.batchParts }, batch)
  const asked = read('notes?select=id&limit=1')
  await expect.poll(async () => (await send([asked])).status).toBe(503)
  expect((await send([call('called_as')], (init = {}) => init)).status).toBe(200)
  await owner.end()
  await Promise.all(waiting)
  expect((await send([asked])).status).toBe(200)
})
