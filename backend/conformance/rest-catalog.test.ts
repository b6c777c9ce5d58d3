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
  // Each later reload would read it again.
  await owner.query(`
    do $$
    begin
      for n in 1..40 loop
        execute format('drop table public.wide_%s', n);
      end loop;
      drop table public.after_all;
    end
    $$`)
}, 120_000)

test('an object whose description is too large to read hides no other', async () => {
  await owner.query(`
    do $$
    begin
      create table public.told (id int primary key, mood int default 7);
      execute format('comment on table public.told is %L', repeat('x', 40000000));
      execute format('comment on column public.told.mood is %L', repeat('x', 40000000));
      execute format('create view public.verbose as select id, %L::text as words from public.told', repeat('x', 9000000));
      create function public.chatter() returns int language sql as 'select 1';
      execute format('comment on function public.chatter() is %L', repeat('x', 40000000));
      execute format('alter table public.told add column long text default %L', repeat('x', 500000));
      insert into public.told values (1);
      create table public.after_long (id int primary key);
    end
    $$`)
  await expect.poll(() => read('/after_long'), { timeout: 60_000, interval: 500 }).toEqual([])
  expect(await read('/told?select=id,mood')).toEqual([{ id: 1, mood: 7 }])
  expect(await read('/verbose?select=id')).toEqual([{ id: 1 }])
  expect(await read('/rpc/chatter')).toBe(1)
  await owner.query('drop table public.told, public.after_long cascade; drop function chatter()')
}, 120_000)

test('views of a junction and of both tables it joins do not multiply', async () => {
  const views = Array.from(
    { length: 120 },
    (_, n) => `
      create view public.song_view_${n} as select id from public.songs;
      create view public.list_view_${n} as select id from public.lists;
      create view public.entry_view_${n} as select song_id, list_id from public.entries;`,
  )
  await owner.query(`
    create table public.songs (id int primary key);
    create table public.lists (id int primary key);
    create table public.entries (
      song_id int references public.songs, list_id int references public.lists, primary key (song_id, list_id)
    );
    insert into public.songs values (1);
    insert into public.lists values (2);
    insert into public.entries values (1, 2);
    ${views.join('')}`)
  const path = '/song_view_7?select=id,list_view_9!entry_view_3(id)'
  await expect
    .poll(() => read(path), { timeout: 30_000, interval: 500 })
    .toEqual([{ id: 1, list_view_9: [{ id: 2 }] }])
  const started = performance.now()
  expect(await read('/lists?select=id,songs!entries(id)')).toEqual([{ id: 2, songs: [{ id: 1 }] }])
  expect(performance.now() - started).toBeLessThan(2_000)
  await owner.query('drop table public.songs, public.lists, public.entries cascade')
}, 120_000)
