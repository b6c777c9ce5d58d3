// Whatever a database contains, the schema cache loads, and one broken object does not hide the others.
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRestBackend, type RestBackend } from './rest-backend.ts'

const SQL = `
  create schema elsewhere;
  create view elsewhere.mirror as select 1 as id;
  create or replace view elsewhere.mirror as select * from elsewhere.mirror;

  create view public.ping as select id from public.films;
  create view public.pong as select id from public.ping;
  create or replace view public.ping as select id from public.pong;

  create table public.eggs (id int primary key, hen_id int);
  create table public.hens (id int primary key, egg_id int references public.eggs);
  alter table public.eggs add foreign key (hen_id) references public.hens;
  insert into public.eggs values (1, null);
  insert into public.hens values (1, 1);
  update public.eggs set hen_id = 1;

  create domain public.word as text check (value <> '');
  create domain public.short_word as public.word check (length(value) < 9);
  create domain public.vector as tsvector;
  create domain public.checked_vector as public.vector;
  create table public.domains (
    id public.short_word primary key, words public.checked_vector, numbers int[] not null default '{}'
  );
  insert into public.domains values ('one', 'fat cat', '{1,2}');

  create table public."__proto__" ("constructor" int primary key, "a
b" text, "😀" text, "%s$1" text, "?order0" text);
  insert into public."__proto__" values (1, 'line', 'smile', 'format', 'first'), (2, null, null, null, 'second');
  create table public.followers (id int primary key, leader int references public."__proto__", "?rows" text);
  insert into public.followers values (1, 1, 'mark'), (2, 2, 'mark');
`

let backend: RestBackend
let owner: pg.Client
beforeAll(async () => {
  backend = await startRestBackend({ sql: SQL })
  owner = new pg.Client(backend.ownerUrl)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await backend.close()
})

async function read(path: string): Promise<unknown> {
  return (await backend.send(path)).json()
}

test('views that select from themselves fail alone, also when they exist at the start', async () => {
  expect(await read('/films?select=id&id=eq.1')).toEqual([{ id: 1 }])
  const response = await backend.send('/ping')
  expect([response.status, await response.json()]).toMatchObject([500, { code: '42P17' }])
})

test('a view that begins to select from itself does not stop later reloads', async () => {
  await owner.query(`
    create view public.echo as select 1 as id;
    create or replace view public.echo as select * from public.echo;
    create table public.made_later (id int primary key)`)
  await expect.poll(() => read('/made_later')).toEqual([])
  expect(await read('/echo')).toMatchObject({ code: '42P17' })
  await owner.query('drop view public.echo; drop table public.made_later')
})

test('tables that reference each other can be embedded in both directions', async () => {
  expect(await read('/eggs?select=id,hens!hen_id(id,eggs!egg_id(id))')).toEqual([
    { id: 1, hens: { id: 1, eggs: { id: 1 } } },
  ])
})

test('a domain over a domain behaves like its base type', async () => {
  expect(await read('/domains?words=fts.cat&select=id')).toEqual([{ id: 'one' }])
  expect(await read('/domains?words=plfts(simple).cat&select=id')).toEqual([{ id: 'one' }])
  const long = 'x'.repeat(2_000)
  expect(await read(`/domains?id=eq.${long}`)).toEqual([])
})

test('tables and columns can have any name', async () => {
  expect(
    await read(
      `/__proto__?constructor=eq.1&select=constructor,"${encodeURIComponent('a\nb')}","${encodeURIComponent('😀')}","${encodeURIComponent('%s$1')}"`,
    ),
  ).toEqual([{ constructor: 1, 'a\nb': 'line', '😀': 'smile', '%s$1': 'format' }])
  expect(await read('/followers?select=id,__proto__(constructor)&id=eq.1')).toEqual([
    JSON.parse('{ "id": 1, "__proto__": { "constructor": 1 } }'),
  ])
})

test('columns may be named like the columns of our own statement', async () => {
  expect(
    await read('/__proto__?select=constructor,...followers("?rows")&order=constructor'),
  ).toEqual([
    { constructor: 1, '?rows': ['mark'] },
    { constructor: 2, '?rows': ['mark'] },
  ])
  expect(await read('/followers?select=p:__proto__("?order0")&order=p(constructor).desc')).toEqual([
    { p: { '?order0': 'second' } },
    { p: { '?order0': 'first' } },
  ])
})

test('a catalog larger than one response of the database loads in batches', async () => {
  await owner.query(`
    do $$
    declare
      columns text;
    begin
      select string_agg(format('column_%s_%s text default %L', n, repeat('x', 40), repeat('y', 8000)), ',') into columns
      from generate_series(1, 105) n;
      for n in 1..40 loop
        execute format('create table public.wide_%s (%s)', n, columns);
      end loop;
      create table public.after_all (id int primary key);
    end
    $$`)
  await expect.poll(() => read('/after_all'), { timeout: 60_000, interval: 500 }).toEqual([])
  expect(await read('/wide_40?select=column_1_' + 'x'.repeat(40))).toEqual([])
}, 120_000)
