// A function's signature cannot say which columns are never null, so web/src/lib/supabase/database.ts does. This holds it
// against what the functions return for the demo team.
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from 'backend/testing/start-test-backend.ts'

const SEED = readFileSync(new URL('../seed/demo-team.sql', import.meta.url), 'utf8')
const TYPES = readFileSync(
  new URL('../../web/src/lib/supabase/database.ts', import.meta.url),
  'utf8',
)

/** A call of each function that returns rows, with rows to return. */
const CALLS: Record<string, string> = {
  activity_totals: `select * from public.activity_totals('2000-01-01')`,
  chat_changes: `select c.* from public.chats, public.chat_changes(chats.id, '2000-01-01', 500) c`,
  chat_departure: `select d.* from public.every_chat_id() id, public.chat_departure(id) d`,
  chat_list: `select * from public.chat_list()`,
  chat_members: `select m.* from public.chats, public.chat_members(chats.id) m`,
  count_members: `select * from public.count_members()`,
  list_members: `select * from public.list_members()`,
  member_details: `select d.* from public.users u, public.member_details(u.id) d`,
  message_seen_by: `select s.* from public.chat_messages m, public.message_seen_by(m.id) s`,
  my_notifications: `select * from public.my_notifications()`,
  notice_unacknowledged: `select u.* from public.team_notices n, public.notice_unacknowledged(n.id) u`,
  notice_results: `select r.* from public.team_notices n, public.notice_results(n.id) r`,
  onboarding_overview: `select * from public.onboarding_overview()`,
  plan_invitations: `select * from public.plan_invitations(array['dana.reyes@example.com', 'nobody@example.com'])`,
  push_health: `select * from public.push_health()`,
  remind_notice: `select r.* from public.team_notices n, public.remind_notice(n.id) r`,
  search_members: `select * from public.search_members()`,
  search_messages: `select * from public.search_messages('the')`,
  vice_presidents: `select * from public.vice_presidents()`,
}

/** The admins and some members. */
const CALLERS = `select id from private.members order by role = 'admin' desc, email limit 6`

let backend: TestBackend
let owner: pg.Client
beforeAll(async () => {
  backend = await startTestBackend({ migrations: 'product', sql: SEED })
  owner = new pg.Client({ connectionString: backend.superuserUrl })
  await owner.connect()
  await owner.query(`
    create function public.every_chat_id() returns setof uuid language sql security definer as
      'select id from public.chats';
    insert into public.team_notices (title, must_acknowledge, created_by)
      select 'Read me', true, id from private.members where role = 'admin' limit 1;
    update private.chat_participants set is_active = false where (chat_id, user_id) in (
      select p.chat_id, p.user_id from private.chat_participants p
      join public.chats c on c.id = p.chat_id and c.type = 'group'
      where p.user_id in (${CALLERS}) and p.user_id is distinct from c.created_by limit 1
    );
    update public.chat_messages set is_deleted = true where id in (select id from public.chat_messages limit 50)`)
})
afterAll(async () => {
  await owner?.end()
  await backend?.close()
})

/** The columns that `NullableResults` names for each function. */
function nullableResults(): Record<string, string[]> {
  const [, block = ''] = /type NullableResults = \w+<\{\n([\s\S]*?)\n\}>/.exec(TYPES) ?? []
  const entries = [...block.matchAll(/^ {2}(\w+):((?:\s*\|?\s*'\w+')+)/gm)]
  return Object.fromEntries(
    entries.map(([, name = '', columns = '']) => [
      name,
      [...columns.matchAll(/'(\w+)'/g)].map(([, column = '']) => column),
    ]),
  )
}

test('every function that returns rows to members is called here', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `select proname as name from pg_proc
     where pronamespace = 'public'::regnamespace and proretset and prorettype <> 'uuid'::regtype
       and has_function_privilege('authenticated', oid, 'execute') order by 1`,
  )
  expect(Object.keys(CALLS).toSorted()).toEqual(rows.map(({ name }) => name))
})

test.each(Object.entries(CALLS))(
  '%s returns null only where the types say so',
  async (name, text) => {
    const { rows: admins } = await owner.query<{ id: string }>(CALLERS)
    const found: Record<string, unknown>[] = []
    for (const { id } of admins) {
      const claimsText = JSON.stringify({ role: 'authenticated', sub: id })
      const answer = await backend.database
        .runAs({ role: 'authenticated', claimsText }, { text, values: [] })
        // Some functions are for admins alone.
        .catch(() => ({ rows: [] }))
      found.push(...(answer.rows as Record<string, unknown>[]))
    }
    expect(found.length).toBeGreaterThan(0)
    const withNull = Object.keys(found[0] ?? {}).filter((column) =>
      found.some((row) => row[column] === null),
    )
    expect(nullableResults()[name] ?? []).toEqual(expect.arrayContaining(withNull))
  },
)
