// The OpenAPI document at the root, as PostgREST writes it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRestBackend, type RestBackend } from './rest-backend.ts'

const SQL = `
  comment on schema public is E'The cinema\\n\\nAll of its films.';
  comment on table public.films is E'Films\\n\\nEverything on show.';
  comment on column public.films.title is 'As on the poster';
  create table public.defaults (
    small smallint default 1, big bigint default 2, ratio numeric default 1.5, yes boolean default true,
    word text default 'hello', code varchar(7) default 'x', at timestamptz default now(), list text[], body jsonb
  );
  create function public.sums(variadic numbers int[]) returns int language sql immutable as $$ select 1 $$;
  create function public.takes(list text[], body json default null) returns int language sql immutable as $$ select 1 $$;
  comment on function public.takes is E'Takes a list\\nand more';
`

type Schema = { properties: Record<string, object>; required?: string[]; description?: string }
type Description = {
  info: object
  definitions: Record<string, Schema>
  paths: Record<string, Record<string, { parameters: object[]; summary?: string }>>
}

let backend: RestBackend
let description: Description
const root = (accept?: string) =>
  fetch(`${backend.url}/rest/v1/`, {
    headers: { apikey: backend.secretKey, ...(accept ? { accept } : {}) },
  })
beforeAll(async () => {
  backend = await startRestBackend({ sql: SQL })
  description = (await (await root()).json()) as Description
})
afterAll(() => backend.close())

test('the comment of the schema is title and description', () => {
  expect(description.info).toMatchObject({ title: 'The cinema', description: 'All of its films.' })
})

test('columns have formats, lengths and defaults as values', () => {
  expect(description.definitions.defaults?.properties).toEqual({
    small: { type: 'integer', format: 'int32', default: 1 },
    big: { type: 'integer', format: 'int64', default: 2 },
    ratio: { type: 'number', format: 'numeric', default: 1.5 },
    yes: { type: 'boolean', format: 'boolean', default: true },
    word: { type: 'string', format: 'text', default: 'hello' },
    code: { type: 'string', format: 'character varying', maxLength: 7, default: 'x' },
    at: { type: 'string', format: 'timestamp with time zone', default: 'now()' },
    list: { type: 'array', format: 'text[]', items: { type: 'string' } },
    body: { format: 'jsonb' },
  })
  expect(description.definitions.defaults).not.toHaveProperty('required')
})

test('notes name primary and foreign keys, also those of one-to-one relationships', () => {
  expect(description.definitions.film_details?.properties.film_id).toEqual({
    type: 'integer',
    format: 'int32',
    description:
      "Note:\nThis is a Primary Key.<pk/>\nThis is a Foreign Key to `films.id`.<fk table='films' column='id'/>",
  })
  expect(description.definitions.films?.properties.id).toMatchObject({
    description: 'Note:\nThis is a Primary Key.<pk/>',
  })
  // The first of two keys would be arbitrary, so a key of several columns is not noted.
  expect(description.definitions.tickets?.properties.cinema).not.toHaveProperty('description')
})

test('comments of tables and functions are summaries and descriptions', () => {
  expect(description.paths['/films']?.get).toMatchObject({
    summary: 'Films',
    description: 'Everything on show.',
  })
  expect(description.paths['/rpc/takes']?.post).toMatchObject({
    summary: 'Takes a list',
    description: 'and more',
  })
  expect(description.paths['/rpc/sums']?.get).not.toHaveProperty('summary')
})

test('parameters in the query are values, and variadic ones repeat', () => {
  expect(description.paths['/rpc/sums']?.get?.parameters).toEqual([
    {
      name: 'numbers',
      in: 'query',
      required: true,
      type: 'array',
      collectionFormat: 'multi',
      items: { type: 'integer', format: 'int32' },
    },
  ])
  expect(description.paths['/rpc/takes']?.get?.parameters).toEqual([
    { name: 'list', in: 'query', required: true, type: 'string', format: 'text[]' },
    { name: 'body', in: 'query', required: false, type: 'string', format: 'json' },
  ])
})

test('the document is available as JSON and as OpenAPI only', async () => {
  for (const accept of ['*/*', 'application/json', 'application/openapi+json']) {
    const response = await root(accept)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/openapi+json; charset=utf-8',
    ])
  }
  const csv = await root('text/csv')
  expect([csv.status, await csv.json()]).toMatchObject([406, { code: 'PGRST107' }])
})
