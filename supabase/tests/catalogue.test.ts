import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readRights } from './rights-page.ts'
import { aTeam, type Team } from './team.ts'

let team: Team
beforeAll(async () => {
  team = await aTeam()
})
afterAll(() => team?.close())

/** Everything anonymous callers may use. */
const ANONYMOUS_MAY = [
  'email_confirmed(text)',
  'house_rules()',
  'invitation_state(uuid)',
  'join_link_state(text)',
  'require_live_session()',
  'sign_up_outcome(text,text)',
]

const names = async (text: string) =>
  (await team.sql<{ name: string }>(text)).map((row) => row.name)

test('every table of the exposed and the private schemas has row-level security', async () => {
  expect(
    await names(`
      select format('%I.%I', relnamespace::regnamespace, relname) as name from pg_class
      where relnamespace in ('public'::regnamespace, 'private'::regnamespace, 'archive'::regnamespace)
        and relkind in ('r', 'p') and not relrowsecurity`),
  ).toEqual([])
})

test('users is the only exposed view that runs with its owner’s rights', async () => {
  expect(
    await names(`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
        and not coalesce(reloptions::text like '%security_invoker=%true%', false)`),
  ).toEqual(['users'])
})

test('no policy calls auth.uid() or another session helper once per row', async () => {
  expect(
    await names(`
      select format('%s on %s.%s', polname, relnamespace::regnamespace, relname) as name
      from pg_policy join pg_class on pg_class.oid = polrelid,
        lateral (select coalesce(pg_get_expr(polqual, polrelid), '') || ' '
          || coalesce(pg_get_expr(polwithcheck, polrelid), '') as text) rule
      where relnamespace in ('public'::regnamespace, 'private'::regnamespace, 'storage'::regnamespace)
        and regexp_replace(rule.text, '(?i)\\(\\s*select\\s+(auth|realtime)\\.\\w+\\(\\)', '', 'g')
          ~ '(auth|realtime)\\.\\w+\\(\\)'`),
  ).toEqual([])
})

test('every policy covers one operation and names its roles', async () => {
  expect(
    await names(`
      select format('%s on %s', polname, polrelid::regclass) as name from pg_policy
      join pg_class on pg_class.oid = polrelid
      where relnamespace in ('public'::regnamespace, 'private'::regnamespace) and (polcmd = '*' or 0 = any (polroles))`),
  ).toEqual([])
})

test('every security definer function pins its search_path', async () => {
  expect(
    await names(`
      select oid::regprocedure::text as name from pg_proc
      where pronamespace in ('public'::regnamespace, 'private'::regnamespace, 'archive'::regnamespace)
        and prosecdef and not exists (select from unnest(proconfig) setting where setting like 'search_path=%')`),
  ).toEqual([])
})

test('nothing is granted to anonymous callers beyond the list', async () => {
  const tables = await names(`
    select c.oid::regclass::text as name from pg_class c
    where relnamespace in ('public'::regnamespace, 'private'::regnamespace) and relkind in ('r', 'p', 'v', 'm')
      and (has_table_privilege('anon', c.oid, 'select, insert, update, delete, truncate, references, trigger')
        or has_any_column_privilege('anon', c.oid, 'select, insert, update, references'))`)
  const functions = await names(`
    select p.oid::regprocedure::text as name from pg_proc p
    where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
      and has_function_privilege('anon', p.oid, 'execute')`)
  expect([...tables, ...functions].toSorted()).toEqual(ANONYMOUS_MAY)
})

test('members can neither truncate a table nor read the private schema', async () => {
  expect(
    await names(`
      select c.oid::regclass::text as name from pg_class c
      where relnamespace in ('public'::regnamespace, 'private'::regnamespace) and relkind in ('r', 'p', 'v')
        and has_table_privilege('authenticated', c.oid, 'truncate, references, trigger')`),
  ).toEqual([])
  const [access] = await team.sql(
    `select has_schema_privilege('authenticated', 'private', 'usage') as usage`,
  )
  expect(access).toEqual({ usage: false })
})

test('nobody but the owner may use the archive', async () => {
  const roles = `(values ('anon'), ('authenticated'), ('service_role'), ('public')) roles (role)`
  expect(
    await names(`
      select role || ': ' || c.relname as name from pg_class c, ${roles}
      where relnamespace = 'archive'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S') and (
        has_any_column_privilege(role, c.oid, 'select, insert, update, references')
        or has_table_privilege(role, c.oid, 'delete, truncate, trigger')
      )
      union all
      select role || ': ' || p.oid::regprocedure from pg_proc p, ${roles}
      where pronamespace = 'archive'::regnamespace and has_function_privilege(role, p.oid, 'execute')
      union all
      select role || ': the schema' from ${roles} where has_schema_privilege(role, 'archive', 'usage')`),
  ).toEqual([])
})

test('every foreign key has an index that begins with its columns', async () => {
  expect(
    await names(`
      select format('%s on %s', conname, conrelid::regclass) as name from pg_constraint
      where contype = 'f' and connamespace in ('public'::regnamespace, 'private'::regnamespace)
        and not exists (
          select from pg_index
          where indrelid = conrelid and (indkey::smallint[])[0:cardinality(conkey) - 1] @> conkey
        )`),
  ).toEqual([])
})

test('every check constraint is named by the sentence that its refusal shows', async () => {
  // A table of one row has no other name for its key, and nobody writes it.
  expect(
    await names(`
      select format('%s on %s', conname, conrelid::regclass) as name from pg_constraint
      where contype = 'c' and connamespace in ('public'::regnamespace, 'private'::regnamespace, 'archive'::regnamespace)
        and conname !~ '^[A-Z][^ ]* .* ' and conname !~ 'is_only_row_check$'`),
  ).toEqual([])
})

test('every exposed table has a comment', async () => {
  expect(
    await names(`
      select c.oid::regclass::text as name from pg_class c
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
        and obj_description(oid, 'pg_class') is null`),
  ).toEqual([])
})

test('docs/rights.md names every exposed table, and tries every exposed function', async () => {
  const tables = await names(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')`)
  const functions = await names(`
    select distinct proname as name from pg_proc, (values ('anon'), ('authenticated'), ('service_role')) roles (role)
    where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype
      and has_function_privilege(role, pg_proc.oid, 'execute')`)
  const words = (text: string) => new Set(text.match(/\w+/g))
  const page = words(readFileSync(new URL('../../docs/rights.md', import.meta.url), 'utf8'))
  const tried = words(
    readRights()
      .map((right) => right.action)
      .join(' '),
  )
  expect(tables).toContain('onboarding_progress')
  expect(tables.filter((name) => !page.has(name))).toEqual([])
  expect(functions.filter((name) => !tried.has(name))).toEqual([])
})

test('the functions that the app calls before it is loaded cannot write', async () => {
  const source = readFileSync(new URL('../../web/src/data/early-batch.ts', import.meta.url), 'utf8')
  const [, list = ''] = /READS = \[(.*?)\]/s.exec(source) ?? []
  const called = [...list.matchAll(/'(\w+)'/g)].map(([, name = '']) => name)
  expect(called).toContain('chat_list')
  const readers = await names(`
    select proname as name from pg_proc where pronamespace = 'public'::regnamespace
    group by proname having bool_and(provolatile <> 'v')`)
  expect(called.filter((name) => !readers.includes(name))).toEqual([])
})
