// Limits of a Data API request, for every caller.
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '#rest/limits.ts'
import type { RestBackend } from './rest-backend.ts'
import { post, startWithCallers } from './rest-callers.ts'

const SQL = `
create table public.lines (id int primary key, film_id int references public.films, words text);
insert into public.lines select n, 1, repeat('x', 4000) from generate_series(1, 2200) n;
create table public.secrets (id int primary key, film_id int references public.films);
revoke all on public.secrets from anon;
create table public.things (
  key uuid, number int, moment timestamptz, amount numeric, keys uuid[], mood public.mood, words text, facts jsonb
);
create function public.many(up_to int) returns setof int language sql immutable as
  $$ select generate_series(1, up_to) $$;
create function public.long_text(characters int) returns text language sql immutable as
  $$ select repeat('x', characters) $$;
`

let backend: RestBackend
let owner: pg.Client
let { send, asMember, asService } = {} as Awaited<ReturnType<typeof startWithCallers>>
beforeAll(async () => {
  ;({ backend, send, asMember, asService } = await startWithCallers(SQL))
  owner = new pg.Client(backend.ownerUrl)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await backend.close()
})

const times = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join(',')

test("a list has at most hosted Supabase's number of rows, whatever the requested limit", async () => {
  for (const path of ['/lines?select=id', '/lines?select=id&limit=5000', '/rpc/many?up_to=2200']) {
    const response = await backend.send(path, { headers: { prefer: 'count=exact' } })
    expect([path, response.status, response.headers.get('content-range')]).toEqual([
      path,
      206,
      `0-${LIMITS.rows - 1}/2200`,
    ])
    expect(await response.json()).toHaveLength(LIMITS.rows)
  }
  const page = await backend.send('/lines?select=id&order=id&offset=2000')
  expect(await page.json()).toHaveLength(200)
  const ranged = await backend.send('/lines?select=id', { headers: { range: '0-4999' } })
  expect(await ranged.json()).toHaveLength(LIMITS.rows)
  const service = await backend.send('/lines?select=id', asService())
  expect(await service.json()).toHaveLength(LIMITS.rows)
})

test('an embedded list has the same row limit, and its parent row is kept', async () => {
  for (const path of [
    '/films?id=eq.1&select=lines(id)',
    '/films?id=eq.1&select=lines(id)&lines.limit=5000',
    '/films?id=eq.1&select=...lines(lines:id)',
  ]) {
    const response = await backend.send(path)
    const [film] = (await response.json()) as [{ lines: unknown[] }]
    expect([path, film.lines.length]).toEqual([path, LIMITS.rows])
  }
})

test('the rows that a write returns are not limited, as on hosted Supabase', async () => {
  const rows = Array.from({ length: LIMITS.bodyRows }, (_, number) => ({ number }))
  const init = post(rows)
  const response = await backend.send('/things?select=number', {
    ...asService(init),
    headers: {
      ...(init.headers as object),
      apikey: backend.secretKey,
      prefer: 'return=representation',
    },
  })
  expect(await response.json()).toHaveLength(LIMITS.bodyRows)
})

test('a response that would be too large is rejected by Postgres before it is built', async () => {
  const wide = times(5, (index) => `a${index}:words`)
  const refused = {
    status: 400,
    body: { code: 'PGRSTX01', message: 'The response would be too large' },
  }
  const embeds = times(3, (index) => `a${index}:lines(words)`)
  for (const path of [
    `/lines?select=${wide}`,
    `/films?select=${embeds}`,
    `/films?select=lines(${wide})`,
    `/films?select=...lines(${wide})`,
    `/lines?select=films(lines(words))`,
    `/rpc/long_text?characters=${LIMITS.responseBytes + 1}`,
  ]) {
    expect({ path, ...(await send(path, asMember())) }).toMatchObject({ path, ...refused })
  }
  for (const accept of ['text/csv', 'application/vnd.pgrst.array+json;nulls=stripped'])
    expect(await send(`/lines?select=${wide}`, asMember({ headers: { accept } }))).toMatchObject(
      refused,
    )
  for (const accept of ['text/plain', 'application/vnd.pgrst.object+json'])
    expect(
      await send(
        `/rpc/long_text?characters=${LIMITS.responseBytes + 1}`,
        asMember({ headers: { accept } }),
      ),
    ).toMatchObject(refused)
  const fits = await backend.send('/lines?select=words')
  expect([fits.status, (await fits.text()).length > 4_000_000]).toEqual([200, true])
})

test('a write whose response would be too large is rolled back', async () => {
  const init = post({ facts: {} })
  const response = await send(`/lines?id=gt.0&select=${times(3, (index) => `a${index}:words`)}`, {
    ...init,
    method: 'PATCH',
    body: JSON.stringify({ words: 'y'.repeat(4000) }),
    headers: { ...(init.headers as object), prefer: 'return=representation' },
  })
  expect(response).toMatchObject({ status: 400, body: { code: 'PGRSTX01' } })
  const { rows } = await owner.query(`select 1 from public.lines where words like 'y%'`)
  expect(rows).toEqual([])
})

test('the byte limit in the platform SQL equals the one in limits.ts', async () => {
  const { rows } = await owner.query<{ room: string }>(
    `select (9223372036854775807 - agginitval::bigint)::text as room from pg_aggregate
     where aggfnoid = 'rest.answer_bytes'::regproc`,
  )
  expect(rows).toEqual([{ room: String(LIMITS.responseBytes) }])
})

test.each([
  ['embedded resources', times(LIMITS.embeds + 1, (index) => `a${index}:roles!inner(part)`), ''],
  ['selected columns', times(LIMITS.selectedItems + 1, () => 'id'), ''],
  ['filters', 'id', `&${Array.from({ length: LIMITS.filters + 1 }, () => 'id=eq.1').join('&')}`],
  ['filters', 'id', `&or=(${times(LIMITS.filters + 1, () => 'id.eq.1')})`],
  ['order terms', 'id', `&order=${times(LIMITS.orderTerms + 1, () => 'id')}`],
  ['JSON steps', `facts${'->a'.repeat(LIMITS.jsonSteps + 1)}`, ''],
])('the number of %s in a request is limited', async (what, select, rest) => {
  expect(await send(`/films?select=${select}${rest}`)).toMatchObject({
    status: 400,
    body: { code: 'PGRST100', message: `Too many ${what}` },
  })
})

test('the largest possible request is planned quickly', async () => {
  const started = performance.now()
  const embeds = times(LIMITS.embeds, (index) => `a${index}:roles!inner(part)`)
  expect((await backend.send(`/films?select=${embeds}`)).status).toBe(200)
  expect(performance.now() - started).toBeLessThan(1_000)
})

test('privileges are checked before joins are planned', async () => {
  const embeds = times(LIMITS.embeds, (index) => `a${index}:secrets!inner(id)`)
  expect(await send(`/films?select=${embeds}`)).toMatchObject({
    status: 401,
    body: { code: '42501', message: 'permission denied for table secrets' },
  })
})

test("counts are exact and subject to the caller's policies, never estimated", async () => {
  await owner.query(
    'alter table public.lines enable row level security; create policy few on public.lines using (id <= 3); analyze public.lines',
  )
  for (const count of ['exact', 'planned', 'estimated']) {
    const response = await backend.send('/lines?select=id', {
      headers: { prefer: `count=${count}` },
    })
    expect([count, response.headers.get('content-range')]).toEqual([count, '0-2/3'])
    const none = await backend.send('/lines?select=id&id=gt.3', {
      method: 'HEAD',
      headers: { prefer: `count=${count}` },
    })
    expect([count, none.headers.get('content-range')]).toEqual([count, '*/0'])
  }
})
