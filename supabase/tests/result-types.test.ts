// A function's signature cannot say which columns are never null, so web/src/data/database.ts does. This holds it
// against what the functions return for the demo team.
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestBackend, type TestBackend } from 'backend/testing/start-test-backend.ts'
import { claimsOf, OPEN_TO_EVERYBODY } from './team.ts'

const SEED = readFileSync(new URL('../seed/demo-team.sql', import.meta.url), 'utf8')
const TYPES = readFileSync(new URL('../../web/src/data/database.ts', import.meta.url), 'utf8')

/** A call of each function that returns rows, with rows to return. */
const CALLS: Record<string, string> = {
  find_chats: `select * from public.find_chats()`,
  lexicon: `select * from public.lexicon()`,
  look_messages: `select * from public.look_messages(auth.uid())`,
  review_counts: `select * from public.review_counts()`,
  review_figures: `select * from public.review_figures(2)`,
  review_item: `select i.* from public.review_queue('open') q, public.review_item(q.id) i union all select i.* from public.review_queue('closed') q, public.review_item(q.id) i`,
  review_queue: `select * from public.review_queue('open') union all select * from public.review_queue('closed')`,
  review_sampling: `select * from public.review_sampling()`,
  app_error_list: `select * from public.app_error_list()`,
  system_status: `select * from public.system_status()`,
  test_lexicon: `select * from public.test_lexicon('Guaranteed 12 % returns, no risk')`,
  admin_dashboard: `select * from public.admin_dashboard()`,
  activity_totals: `select * from public.activity_totals('2000-01-01')`,
  backup_state: `select * from public.backup_state()`,
  blocked_people: `select * from public.blocked_people()`,
  broken_links: `select * from public.broken_links()`,
  archive_head: `select * from public.archive_head()`,
  archive_retention: `select * from public.archive_retention()`,
  audit_entries: `select * from public.audit_entries()`,
  people_states: `select * from public.people_states() as s (state)`,
  changed_tables: `select * from public.changed_tables(3600) as t (changed_table)`,
  chat_changes: `select c.* from public.chats, public.chat_changes(chats.id, '2000-01-01', 500) c`,
  chat_departure: `select d.* from public.every_chat_id() id, public.chat_departure(id) d`,
  chat_list: `select * from public.chat_list()`,
  chats_with_member: `select * from public.chats_with_member('a')`,
  list_people: `select * from public.list_people()`,
  member_profile: `select p.* from public.users u, public.member_profile(u.id) p`,
  chat_members: `select m.* from public.chats, public.chat_members(chats.id) m`,
  count_invitations: `select * from public.count_invitations()`,
  count_members: `select * from public.count_members()`,
  export_search: `select * from public.export_search('Examination')`,
  house_rules: `select * from public.house_rules()`,
  known_addresses: `select * from public.known_addresses(array['dana.reyes@example.com', 'nobody@example.com'])`,
  list_invitations: `select * from public.list_invitations('all')`,
  list_join_links: `select * from public.list_join_links()`,
  legal_holds: `select * from public.legal_holds()`,
  find_groups: `select * from public.find_groups()`,
  list_members: `select * from public.list_members()`,
  member_details: `select d.* from public.users u, public.member_details(u.id) d`,
  message_seen_by: `select s.* from public.chat_messages m, public.message_seen_by(m.id) s`,
  my_membership: `select * from public.my_membership()`,
  my_notifications: `select * from public.my_notifications()`,
  my_unacknowledged_notices: `select * from public.my_unacknowledged_notices()`,
  my_reports: `select * from public.my_reports()`,
  my_saved_messages: `select * from public.my_saved_messages()`,
  my_sponsor: `select * from public.my_sponsor()`,
  notice_unacknowledged: `select u.* from public.team_notices n, public.notice_unacknowledged(n.id) u`,
  notice_results: `select r.* from public.team_notices n, public.notice_results(n.id) r`,
  onboarding_overview: `select * from public.onboarding_overview()`,
  plan_invitations: `select * from public.plan_invitations('[{"email": "dana.reyes@example.com"}, {"email": "nobody@example.com"}]')`,
  push_health: `select * from public.push_health()`,
  remind_notice: `select r.* from public.team_notices n, public.remind_notice(n.id) r`,
  search_archive: `select f.* from unnest(array['message', 'notice', 'chat', 'member']) kind, public.search_archive('Examination', kind => kind) f`,
  search_everything: `select f.* from unnest(array['the', 'training', 'maya', 'rally', 'license']) words, public.search_everything(words) f`,
  search_members: `select * from public.search_members()`,
  search_messages: `select * from public.search_messages('the')`,
  setup_checklist: `select * from public.setup_checklist()`,
  setting_changes: `select * from public.setting_changes()`,
  supervisors: `select * from public.supervisors()`,
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
  await owner.query(OPEN_TO_EVERYBODY)
  await owner.query(`
    create function public.every_chat_id() returns setof uuid language sql security definer as
      'select id from public.chats';
    update private.members m set sponsor_id = (
      select id from private.members where role = 'admin' order by id limit 1
    ) where m.role = 'user';
    insert into public.team_notices (title, must_acknowledge, created_by)
      select 'Read me', true, id from private.members where role = 'admin' limit 1;
    update private.chat_participants set is_active = false where (chat_id, user_id) in (
      select p.chat_id, p.user_id from private.chat_participants p
      join public.chats c on c.id = p.chat_id and c.type = 'group'
      where p.user_id in (${CALLERS}) and p.user_id is distinct from c.created_by limit 1
    );
    insert into public.invitations (email, invited_by, last_sent_at, accepted_by, accepted_at, revoked_at, bounced_at)
      select state || '@example.com', m.id, case when state <> 'unsent' then now() end,
        case when state = 'accepted' then m.id end, case when state = 'accepted' then now() end,
        case when state = 'revoked' then now() end, case when state = 'bounced' then now() end
      from unnest(array['unsent', 'accepted', 'revoked', 'bounced']) state,
        (select id from private.members where role = 'admin' and is_active limit 1) m;
    insert into public.join_links (created_by, revoked_at)
      select m.id, at from unnest(array[null, now()]) at,
        (select id from private.members where role = 'admin' and is_active limit 1) m;
    insert into private.link_checks (url, state)
      select url, 'broken' from public.training_content where url is not null and is_active limit 1;
    insert into private.app_errors (kind, places, screen, browser) values ('Error', '{a.js:1:1}', '/home', 'Other');
    insert into private.members (id, status, status_changed_at) values (gen_random_uuid(), 'waiting', now());
    update private.members set state = 'TX', phone = '+13125550142', phone_audience = 'everyone' where role = 'user' and is_active;
    insert into archive.holds (id, member_id, reason, placed_by)
      select gen_random_uuid(), id, 'Case', id from private.members where role = 'admin' limit 1;
    insert into archive.holds (id, chat_id, reason)
      select gen_random_uuid(), id, 'Case' from public.chats where type = 'individual' limit 1;
    insert into private.blocks (blocker_id, blocked_id)
      select a.id, b.id from private.members a, private.members b where a.id <> b.id and a.role = 'user' limit 500;
    insert into private.reports (reporter_id, member_id, message_id, reason, outcome, closed_at)
      select m.sender_id, m.sender_id, m.id, 'spam', outcome, case when outcome is not null then now() end
      from public.chat_messages m cross join unnest(array['fine', null]) outcome
      on conflict do nothing;
    update private.review_worker set percent = 20;
    insert into private.review_sampling (leader_id, percent) select id, 10 from private.members where is_active limit 1;
    update private.lexicon_entries set updated_by = (select id from private.members limit 1) where category = 'guarantee';
    insert into public.chat_messages (chat_id, sender_id, message)
      select c.id, m.id, 'Guaranteed returns ' || n from public.chats c, private.members m, generate_series(1, 40) n
      where c.type = 'mandatory' and m.role = 'user' and m.is_active order by m.id limit 40;
    update private.members set can_supervise = true where role = 'admin' or email is null and status = 'active';
    update public.chat_messages set is_deleted = true where id in (select id from public.chat_messages limit 50);
    insert into public.saved_messages (user_id, message_id)
      select p.user_id, m.id from public.chat_messages m join private.chat_participants p on p.chat_id = m.chat_id
      where not m.is_deleted and p.user_id in (${CALLERS}) limit 20`)
  // Sealing waits for every open transaction of the server, those of other tests included.
  await vi.waitFor(
    async () => {
      await owner.query('select public.seal_archive()')
      expect((await owner.query('select from archive.seals')).rowCount).toBeGreaterThan(0)
    },
    { timeout: 20_000, interval: 100 },
  )
  await owner.query(`
    select public.review_new_messages(20);
    insert into private.looks (id, supervisor_id, chat_id, reason)
      select m.id, m.id, c.id, 'Case' from private.members m, public.chats c where m.can_supervise and c.type = 'mandatory';
    update private.review_items set outcome = 'fine', closed_at = now(), assigned_to = member_id
      where id in (select id from private.review_items order by id limit 10)`)
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
       and has_function_privilege('authenticated', oid, 'execute')
       -- Rows of a table have the table's own types.
       and not exists (select from pg_class c where c.reltype = prorettype and c.relkind = 'r') order by 1`,
  )
  expect(Object.keys(CALLS).toSorted()).toEqual(rows.map(({ name }) => name))
})

test.each(Object.entries(CALLS))(
  '%s returns null only where the types say so',
  async (name, text) => {
    const { rows: admins } = await owner.query<{ id: string }>(CALLERS)
    const found: Record<string, unknown>[] = []
    for (const { id } of admins) {
      const claimsText = JSON.stringify(claimsOf(id))
      const { rows } = await backend.database
        .runAs({ role: 'authenticated', claimsText }, { text, values: [] })
        // Some functions are for admins alone.
        .catch(() => ({ rows: [] }))
      found.push(...(rows as Record<string, unknown>[]))
    }
    expect(found.length).toBeGreaterThan(0)
    const withNull = Object.keys(found[0] ?? {}).filter((column) =>
      found.some((row) => row[column] === null),
    )
    expect(nullableResults()[name] ?? []).toEqual(expect.arrayContaining(withNull))
  },
)
