import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRestBackend, type RestBackend } from './rest-backend.ts'

const OTHER_SCHEMA = `
  create schema other;
  grant usage on schema other to anon, authenticated, service_role;
  create table other.things (id int primary key, name text);
  create function other.thing_count() returns bigint language plpgsql stable as $$ begin return (select count(*) from things); end $$;
  grant all on other.things to anon, service_role;
  insert into other.things values (1, 'lamp');
`

let backend: RestBackend
let owner: pg.Client
beforeAll(async () => {
  backend = await startRestBackend({
    sql: OTHER_SCHEMA,
    settings: {
      rest: { schemas: ['public', 'other'], aggregates: true, explain: true, allowRollback: true },
    },
  })
  owner = new pg.Client(backend.ownerUrl)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await backend.close()
})

async function read(path: string, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await backend.send(path, { headers })
  return response.json()
}

test('schema() switches to another exposed schema, and its functions find their tables', async () => {
  const other = backend.db.schema('other' as never)
  expect((await other.from('things').select()).data).toEqual([{ id: 1, name: 'lamp' }])
  expect((await other.rpc('thing_count')).data).toBe(1)
  const inserted = await other
    .from('things')
    .insert({ id: 2, name: 'sofa' } as never)
    .select()
  expect(inserted.data).toEqual([{ id: 2, name: 'sofa' }])
  const response = await backend.send('/things', { headers: { 'accept-profile': 'other' } })
  expect(response.headers.get('content-profile')).toBe('other')
})

test('functions of another schema also find what is in public, whatever search path the role has', async () => {
  await owner.query(`
    create function other.film_count() returns bigint language plpgsql stable
      as $$ begin return (select count(*) from films) + (select count(*) from things where id < 0); end $$;
    alter role anon set search_path = ''`)
  await expect
    .poll(() => read('/rpc/film_count', { 'accept-profile': 'other' }), { timeout: 10_000 })
    .toBe(5)
  expect(await read('/rpc/film_count_here')).toMatchObject({ code: 'PGRST202' })
  await owner.query(`
    create function public.film_count_here() returns bigint language plpgsql stable
      as $$ begin return (select count(*) from films); end $$`)
  await expect.poll(() => read('/rpc/film_count_here'), { timeout: 10_000 }).toBe(5)
  await owner.query('alter role anon reset search_path')
})

test('aggregates group by all other selected columns', async () => {
  expect(await read('/films?select=count()')).toEqual([{ count: 5 }])
  expect(
    await read('/films?select=year.max(),low:year.min(),id.sum()::text,rating.avg(),id.count()'),
  ).toEqual([{ max: 2005, low: 1971, sum: '15', avg: 6.866666666666667, count: 5 }])
  expect(await read('/films?select=director_id,count()&order=director_id')).toEqual([
    { director_id: 1, count: 2 },
    { director_id: 2, count: 1 },
    { director_id: 3, count: 1 },
    { director_id: null, count: 1 },
  ])
  expect(
    await read('/directors?select=first_name,films!director_id(count())&id=lt.3&order=id'),
  ).toEqual([
    { first_name: 'Ada', films: [{ count: 2 }] },
    { first_name: 'Cy', films: [{ count: 1 }] },
  ])
  expect(
    await read('/films?select=id.count(),directors!director_id(first_name)&director_id=eq.1'),
  ).toEqual([{ count: 2, directors: { first_name: 'Ada' } }])
})

test('aggregates of a to-one spread are computed by its parent', async () => {
  expect(await read('/roles?select=...films(year.max(),count())')).toEqual([
    { max: 2005, count: 4 },
  ])
  expect(await read('/films?select=...actors(id.sum())')).toMatchObject({ code: 'PGRST127' })
})

test('explain returns the plan as text and JSON', async () => {
  const text = await backend.db.from('films').select('id').explain()
  expect(text.data).toContain('Aggregate')
  const { data } = await backend.db
    .from('films')
    .select('id')
    .explain({ format: 'json', analyze: true, verbose: true })
  expect(data).toMatchObject([{ Plan: { 'Node Type': 'Aggregate' } }])
})

test('rollback() returns the result and keeps nothing, if allowed', async () => {
  const { data } = await backend.db.from('keyless').insert({ letter: 'q' }).select().rollback()
  expect(data).toEqual([{ letter: 'q', number: null }])
  expect((await backend.db.from('keyless').select().eq('letter', 'q')).data).toEqual([])
})

test('the root returns the description of tables and functions for the secret key', async () => {
  const response = await fetch(`${backend.url}/rest/v1/`, {
    headers: { apikey: backend.secretKey },
  })
  const body = (await response.json()) as { paths: object; definitions: Record<string, object> }
  expect(response.headers.get('content-type')).toBe('application/openapi+json; charset=utf-8')
  expect(body.paths).toHaveProperty(['/rpc/add_them', 'get'])
  expect(body.definitions.roles).toMatchObject({
    required: ['film_id', 'actor_id'],
    properties: {
      film_id: {
        type: 'integer',
        format: 'int32',
        description: expect.stringContaining("<fk table='films' column='id'/>") as string,
      },
    },
  })
})

test('a new or changed table is available shortly, without a restart', async () => {
  expect((await backend.db.from('later').select()).error).toMatchObject({ code: 'PGRST205' })
  await owner.query('create table public.later (id int primary key)')
  await expect.poll(async () => (await backend.db.from('later').select()).data).toEqual([])
  await owner.query('alter table public.later add column film_id int references public.films')
  await expect
    .poll(
      async () =>
        (await backend.db.from('later').insert({ id: 1, film_id: 1 }).select('id,films(id)')).data,
    )
    .toEqual([{ id: 1, films: { id: 1 } }])
  await owner.query('drop table public.later')
  await expect
    .poll(async () => (await backend.db.from('later').select()).error)
    .toMatchObject({ code: 'PGRST205' })
})

test('a changed function returns its new type immediately', async () => {
  await owner.query("create function public.shape() returns int language sql as 'select 1'")
  await expect.poll(async () => (await backend.db.rpc('shape')).data as unknown).toBe(1)
  await owner.query(
    "drop function public.shape(); create function public.shape() returns table (a int, b text) language sql as $$ select 1, 'x' $$",
  )
  await expect
    .poll(async () => (await backend.db.rpc('shape')).data as unknown)
    .toEqual([{ a: 1, b: 'x' }])
})

test('requests succeed while the schema cache reloads repeatedly', async () => {
  const reloads = (async () => {
    for (let index = 0; index < 10; index++) await owner.query("notify pgrst, 'reload schema'")
  })()
  const responses = await Promise.all(
    Array.from({ length: 60 }, () =>
      backend.db.from('films').select('id,directors!director_id(id)').eq('id', 1),
    ),
  )
  await reloads
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
})

test('lost connections fail only the requests on them', async () => {
  const admin = new pg.Client(backend.superuserUrl)
  await admin.connect()
  const during = Array.from({ length: 40 }, async (_, index) => {
    if (index === 10) {
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'data-%' and datname = current_database()`,
      )
    }
    return (await backend.send('/films?select=id')).status
  })
  for (const status of await Promise.all(during)) expect([200, 503]).toContain(status)
  await admin.end()
  const after = await Promise.all(
    Array.from({ length: 20 }, () => backend.send('/films?select=id')),
  )
  expect(after.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
})
