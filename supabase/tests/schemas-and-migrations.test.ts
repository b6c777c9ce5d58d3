// supabase/schemas is the definition people edit, supabase/migrations is how a database gets there.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { runScript } from 'backend/postgres/migrations.ts'
import { cloneDatabase, databaseUrl, dropDatabase } from 'backend/testing/test-cluster.ts'
import pg from 'pg'
import { compareCatalogues } from '../tools/compare-catalogues.ts'
import { readCatalogue, readCatalogueAt, type CatalogueObject } from '../tools/read-catalogue.ts'
import { readSchemas } from '../tools/schema-files.ts'
import { writeMigration } from '../tools/write-migration.ts'

const cluster = inject('clusterUrl')
const names: string[] = []

/** A database with the migrations applied, or created from a script. */
async function aDatabase(script?: string): Promise<string> {
  const name = `schemas_${names.length}`
  names.push(name)
  await cloneDatabase(cluster, name, script === undefined ? 'with_product' : 'platform_only')
  const url = databaseUrl(cluster, name)
  if (script) await runScript(url, script)
  return url
}

const schemas = readSchemas()
let fromSchemas: CatalogueObject[]
beforeAll(async () => {
  fromSchemas = await readCatalogueAt(await aDatabase(schemas))
})
afterAll(async () => {
  for (const name of names) await dropDatabase(cluster, name)
})

test('the migrations produce the same database as the schema files', async () => {
  expect(compareCatalogues(fromSchemas, await readCatalogueAt(await aDatabase()))).toEqual([])
})

test('each function has one definition in the schema files', () => {
  const created = [...schemas.matchAll(/^create (?:or replace )?function ([\w.]+)/gm)].map(
    ([, name = '']) => name,
  )
  expect(created.length).toBeGreaterThan(100)
  expect(created.filter((name, index) => created.indexOf(name) !== index)).toEqual([])
})

describe('the comparison notices', () => {
  let url: string
  beforeAll(async () => {
    url = await aDatabase()
  })

  test.each([
    ['a column', 'alter table public.goals add column note text', 'column note'],
    ['a type', 'alter table public.push_channels alter detail type varchar(99)', 'column detail'],
    ['a default', 'alter table public.goals alter created_at drop default', 'column created_at'],
    ['null-ness', 'alter table public.goals alter period drop not null', 'column period'],
    [
      'a constraint',
      'alter table public.chats drop constraint "A chat has a creator"',
      'constraint "A chat has a creator"',
    ],
    ['an index', 'drop index private.members_admins', 'index private.members_admins'],
    [
      'a function',
      `create or replace function private.push_delay() returns interval language sql immutable
       set search_path = '' as $$ select interval '3 seconds' $$`,
      'function private.push_delay()',
    ],
    [
      'a pinned search_path',
      'alter function private.push_delay() reset search_path',
      'function private.push_delay()',
    ],
    [
      'a view',
      'alter view public.chat_participants set (security_invoker = false)',
      'view public.chat_participants',
    ],
    [
      "a view's default",
      'alter view public.chat_participants alter joined_at drop default',
      'view default joined_at',
    ],
    [
      'a policy',
      'alter policy "admins read invitations" on public.join_links using (true)',
      'policy "admins read invitations"',
    ],
    [
      'row-level security',
      'alter table public.goals disable row level security',
      'row level security public.goals',
    ],
    ['a trigger', 'drop trigger keep_an_admin on private.members', 'trigger keep_an_admin'],
    [
      'a disabled trigger',
      'alter table private.members disable trigger keep_an_admin',
      'trigger keep_an_admin',
    ],
    [
      'a grant',
      'grant truncate on public.goals to authenticated',
      'grant truncate on table public.goals to authenticated',
    ],
    [
      "a column's grant",
      'grant update (value) on public.goals to authenticated',
      'grant update (value) on table public.goals to authenticated',
    ],
    [
      "a function's grant",
      'grant execute on function private.push_delay() to public',
      'grant execute on function private.push_delay() to public',
    ],
    [
      'default privileges',
      'alter default privileges in schema private grant select on tables to anon',
      'default privilege select on new objects of kind r by postgres in schema private to anon',
    ],
    ['a comment', `comment on table public.goals is 'x'`, 'comment table public.goals'],
    ['an enum', `create type public.mood as enum ('ok')`, 'type public.mood'],
    ['a publication', 'create publication goals for table public.goals', 'publication goals'],
    [
      'a row of a bucket',
      `update storage.buckets set public = true where id = 'chat-images'`,
      'row ',
    ],
    ['a setting of the team', `update public.team_settings set time_zone = 'UTC'`, 'row '],
  ])('%s', async (_, change, what) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      await client.query('begin')
      await client.query('set local role postgres')
      await client.query(change)
      const differences = compareCatalogues(fromSchemas, await readCatalogue(client))
      const found = differences.map(({ kind, name }) => `${kind} ${name}`)
      expect(found).toContainEqual(expect.stringContaining(what))
    } finally {
      await client.end()
    }
  })
})

const CHANGED = schemas
  .replace(`select interval '2 seconds'`, `select interval '9 seconds'`)
  .replace(
    'create function private.most_devices() returns int\n',
    'create function private.most_devices() returns bigint\n',
  )
  .replace(`label text,\n`, `label text not null default 'Phone',\n`)
  .replace(`char_length(label) <= 100`, `char_length(label) <= 50`)
  .replace(/create policy "admins read invitations by mail"[^;]*;/, '')
  .replace(
    `comment on table public.push_devices is 'Devices`,
    `comment on table public.push_devices is 'Phones`,
  )
  .replace(`'Rally Chat'`, `'Team Chat'`).concat(`
    create table public.member_notes (
      id uuid primary key default gen_random_uuid(),
      member_id uuid not null references private.members (id),
      note text not null
    );
    comment on table public.member_notes is 'What admins note of members; nobody else''s business.';
    create index member_notes_member_id on public.member_notes (member_id);
    create function private.may_note() returns boolean
    language sql stable security definer set search_path = ''
    as $$ select private.is_admin() $$;
    alter table public.member_notes enable row level security;
    revoke all on public.member_notes from anon, authenticated;
    grant select, insert (member_id, note) on public.member_notes to authenticated;
    create policy "admins read notes" on public.member_notes
      for select to authenticated using ((select private.may_note()));
    revoke execute on all functions in schema private from public;
    grant execute on function private.may_note() to authenticated;`)

test('the migration skeleton creates, alters and drops what the schema files say, and lists the rest', async () => {
  const wanted = await readCatalogueAt(await aDatabase(CHANGED))
  const { statements, byHand } = await writeMigration(await aDatabase(), CHANGED, wanted)

  // The chat's row is data; only a person can decide what to do with it.
  expect(byHand).toEqual([
    expect.stringMatching(/^create row .*Team Chat/),
    expect.stringMatching(/^drop row .*Rally Chat/),
  ])
  const url = await aDatabase()
  await runScript(url, statements.join('\n'))
  expect(compareCatalogues(wanted, await readCatalogueAt(url)).map(({ kind }) => kind)).toEqual([
    'row',
    'row',
  ])
  const text = statements.join('\n')
  expect(text).toContain('create or replace function private.push_delay()')
  expect(text).toContain('create table public.member_notes (\n      id uuid primary key')
  expect(text).toContain('drop policy "admins read invitations by mail" on public.invitations;')
  expect(text).not.toContain('postgres')
})

test('the migration skeleton drops what the schema files no longer have', async () => {
  const url = await aDatabase()
  await runScript(
    url,
    `create table public.old_notes (id int primary key, note text check (note <> ''));
     create index on public.old_notes (note);
     create view public.older_notes as select * from public.old_notes;
     create function private.old_count() returns bigint language sql as 'select 1::bigint';
     alter table public.goals add column old_value int default private.old_count();
     alter table public.goals add constraint "Not too old" check (old_value < 9);
     create trigger old_trigger before update on public.goals
       for each row execute function private.check_changed_message();
     grant delete on public.goals to authenticated;
     create type public.old_mood as enum ('ok');`,
  )
  const { statements, byHand } = await writeMigration(url, schemas, fromSchemas)
  expect(byHand).toEqual(['drop type public.old_mood'])
  expect(statements).toContain('revoke delete on table public.goals from authenticated;')
  expect(
    compareCatalogues(fromSchemas, await readCatalogueAt(url)).map(({ kind }) => kind),
  ).toEqual(['type'])
})
