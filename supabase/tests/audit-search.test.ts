// Entries of the audit log are found by the words of the sentence that the app shows, in each of its languages.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newcomerScene } from './newcomer-scene.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

type Entry = { kind: string; action: string; people: string[]; details: object }
type Said = { kind: string; action?: string; before?: object; after?: object }

let team: Team
let admin: Person
beforeAll(async () => {
  team = await aTeam()
  admin = await team.aMember({ isAdmin: true, firstName: 'Ada', lastName: 'Root' })
})
afterAll(() => team?.close())

const status = (from: string, to: string): Said => ({
  kind: 'member',
  before: { status: from },
  after: { status: to },
})
const changed = (kind: string, column: string): Said => ({
  kind,
  before: { [column]: null },
  after: { [column]: null },
})
const action = (kind: string, name: string): Said => ({ kind, action: name })

/** An entry for each sentence of web/messages/en/audit.json; the fields of a change are looked for by name. */
const SENTENCES: Record<string, Said> = {
  member_joined: action('member', 'joined'),
  member_asked: { kind: 'member', action: 'joined', after: { status: 'waiting' } },
  member_approved: status('waiting', 'active'),
  member_declined: status('waiting', 'declined'),
  member_approval_undone: status('active', 'waiting'),
  member_decline_undone: status('declined', 'waiting'),
  member_suspended: status('active', 'suspended'),
  member_removed: status('active', 'removed'),
  member_readmitted: status('suspended', 'active'),
  member_left: status('active', 'deleted'),
  member_account_deleted: status('active', 'deleted'),
  member_erased: action('member', 'erased'),
  member_admin: changed('member', 'role'),
  member_became_admin: changed('member', 'role'),
  member_user: changed('member', 'role'),
  member_permission_on: changed('member', 'can_create_chats'),
  member_permission_off: changed('member', 'rally_enabled'),
  member_permissions: changed('member', 'can_supervise'),
  member_sponsor: changed('member', 'sponsor_id'),
  member_sponsor_moved: changed('member', 'sponsor_id'),
  member_sponsor_none: changed('member', 'sponsor_id'),
  member_two_step_on: action('member', 'second_factor_on'),
  member_two_step_off: action('member', 'second_factor_off'),
  member_two_step_added: action('member', 'second_factor_added'),
  member_two_step_removed: action('member', 'second_factor_removed'),
  member_two_step_reset: action('member', 'second_factor_reset'),
  member_recovery_code: action('member', 'recovery_code_used'),
  setting_vice_president: changed('setting', 'vice_presidents'),
  setting_no_vice_president: changed('setting', 'vice_presidents'),
  setting_vice_presidents: changed('setting', 'vice_presidents'),
  setting_vice_presidents_order: changed('setting', 'vice_presidents'),
  setting_changed_to: changed('setting', 'time_zone'),
  setting_changed: changed('setting', 'time_zone'),
  content_created: action('content', 'created'),
  content_retired: changed('content', 'is_active'),
  content_restored: changed('content', 'is_active'),
  content_deleted: action('content', 'deleted'),
  content_reordered: action('content', 'reordered'),
  changed_to: changed('content', 'title'),
  changed: changed('notice', 'title'),
  chat_created: action('chat', 'created'),
  chat_renamed: changed('chat', 'name'),
  chat_closed: changed('chat', 'is_active'),
  chat_reopened: changed('chat', 'is_active'),
  chat_given: changed('chat', 'created_by'),
  chat_added: action('chat', 'members_added'),
  chat_removed: action('chat', 'members_removed'),
  chat_deleted: action('chat', 'deleted'),
  notice_created: action('notice', 'created'),
  notice_scheduled: { ...action('notice', 'created'), after: { scheduled_for: '2026-12-01' } },
  notice_withdrawn: changed('notice', 'cancelled_at'),
  notice_deleted: action('notice', 'deleted'),
  message_removed: action('message', 'removed'),
  message_removed_in: action('message', 'removed'),
  message_restored: action('message', 'restored'),
  message_erased: action('message', 'erased'),
  link_created: action('invitation', 'link_created'),
  link_taken_back: action('invitation', 'link_taken_back'),
  link_of_taken_back: action('invitation', 'link_taken_back'),
  link_changed: action('invitation', 'link_changed'),
  link_deleted: action('invitation', 'link_deleted'),
  invited: action('invitation', 'invited'),
  invited_again: action('invitation', 'invited_again'),
  invitation_taken_back: action('invitation', 'invitation_taken_back'),
  invitation_by_taken_back: action('invitation', 'invitation_taken_back'),
  hold_placed: action('archive', 'hold_placed'),
  hold_placed_on_chat: action('archive', 'hold_placed'),
  hold_lifted: action('archive', 'hold_lifted'),
  hold_lifted_on_chat: action('archive', 'hold_lifted'),
  retention: action('archive', 'retention'),
  looked_at: action('supervision', 'looked'),
  looked_at_two: action('supervision', 'looked'),
  lexicon_added: action('supervision', 'lexicon_added'),
  lexicon_changed: action('supervision', 'lexicon_changed'),
  lexicon_paused: { ...changed('supervision', 'is_active'), action: 'lexicon_changed' },
  lexicon_resumed: { ...changed('supervision', 'is_active'), action: 'lexicon_changed' },
  lexicon_removed: action('supervision', 'lexicon_removed'),
  sampling_team: action('supervision', 'sampling'),
  sampling_line: action('supervision', 'sampling'),
  rules_changed: action('rules', 'changed'),
  rules_asked: action('rules', 'changed'),
  rules_asked_again: action('rules', 'changed'),
}

/** What the app calls the columns of a change (web/src/features/audit-log/field-names.ts). */
const FIELDS: Record<string, Said> = {
  field_role: changed('member', 'role'),
  field_sponsor: changed('member', 'sponsor_id'),
  field_supervises: changed('member', 'can_supervise'),
  field_time_zone: changed('setting', 'time_zone'),
  field_seen_by: changed('setting', 'seen_by_enabled'),
  field_app_errors: changed('setting', 'app_errors_enabled'),
  field_second_factor: changed('setting', 'admins_need_second_factor'),
  field_vice_presidents: changed('setting', 'vice_presidents'),
  field_registration: changed('setting', 'registration'),
  field_domains: changed('setting', 'email_domains'),
  field_title: changed('content', 'title'),
  field_description: changed('content', 'description'),
  field_url: changed('content', 'url'),
  field_image: changed('content', 'image_url'),
  field_image_alt: changed('content', 'image_alt'),
  field_category: changed('content', 'category'),
  field_sort_order: changed('content', 'sort_order'),
  field_active: changed('content', 'is_active'),
  field_day: changed('content', 'day_of_week'),
  field_start: changed('content', 'start_time'),
  field_end: changed('content', 'end_time'),
  field_meeting_id: changed('content', 'meeting_id'),
  field_meeting_password: changed('content', 'meeting_password'),
  field_body: changed('notice', 'body'),
  field_audience: changed('notice', 'audience'),
  field_audience_role: changed('notice', 'audience_role'),
  field_audience_members: changed('notice', 'audience_members'),
  field_audience_chat: changed('notice', 'audience_chat_id'),
  field_urgent: changed('notice', 'is_urgent'),
  field_acknowledge: changed('notice', 'must_acknowledge'),
  field_scheduled: changed('notice', 'scheduled_for'),
  field_withdrawn: changed('notice', 'cancelled_at'),
}

type Message = string | { match: Record<string, string> }[]
const messagesIn = (language: string) =>
  JSON.parse(
    readFileSync(new URL(`../../web/messages/${language}/audit.json`, import.meta.url), 'utf8'),
  ) as Record<string, Message>
const textOf = (message: Message) =>
  typeof message === 'string'
    ? message
    : message.flatMap(({ match }) => Object.values(match)).join(' ')

/** Without placeholders and without words as short as articles. */
const wordsOf = (message: Message) =>
  textOf(message)
    .replaceAll(/\{\w+\}/g, ' ')
    .split(/[^\p{L}’-]+/u)
    .filter((word) => word.length > 3)

async function foundBy({ kind, action = 'changed', before, after }: Said, words: string[]) {
  const [row] = await team.sql<{ missing: string[] }>(
    `select array(
       select word from unnest($5::text[]) word
       where strpos(private.audit_words(entry), lower(private.without_accents(word))) = 0
     ) as missing
     from jsonb_populate_record(null::private.audit_log, jsonb_build_object(
       'kind', $1::text, 'action', $2::text, 'before', $3::jsonb, 'after', $4::jsonb, 'details', '{}'::jsonb
     )) entry`,
    [kind, action, before ?? null, after ?? null, words],
  )
  return row?.missing
}

describe.each(['en', 'es'])('in %s', (language) => {
  const messages = messagesIn(language)
  const cases = { ...SENTENCES, ...FIELDS }

  test.each(Object.entries(cases))('an entry is found by the words of %s', async (name, said) => {
    const words = wordsOf(messages[`audit_${name}`]!)
    expect(await foundBy(said, words)).toEqual([])
  })
})

test('every sentence of the audit log is tried', () => {
  const sentences = Object.entries(messagesIn('en'))
    .filter(
      ([, message]) => textOf(message).includes('{actor}') || textOf(message).includes('{member}'),
    )
    .map(([name]) => name.slice('audit_'.length))
  const tried = [...Object.keys(SENTENCES), 'other']
  expect(sentences.filter((name) => !tried.includes(name))).toEqual([])
})

test('an invitation is found by its action, by the name and the address of who was invited', async () => {
  const scene = newcomerScene(team, admin)
  const id = await scene.anInvitation('zelda.invited@elsewhere.example')
  await team.sql("update public.invitations set last_name = 'Quizz' where id = $1", [id])
  for (const query of ['zelda.invited', 'quizz', 'INVITED quizz', 'invitó quizz', 'root zelda']) {
    const { data } = await call<Entry[]>(admin, 'audit_entries', { query })
    expect(data, query).toMatchObject([{ kind: 'invitation', action: 'invited', people: [id] }])
  }
  const { data } = await call<Entry[]>(admin, 'audit_entries', { query: 'revoked quizz' })
  expect(data).toEqual([])
})

test('a whole sentence finds its entry, the small words too; a list of content by its name', async () => {
  const scene = newcomerScene(team, admin)
  const id = await scene.anInvitation('sentence@elsewhere.example')
  await team.sql("update public.invitations set first_name = 'Norma' where id = $1", [id])
  await call(admin, 'revoke_invitations', { invitation_ids: [id] })
  await admin.client
    .from('training_content')
    .insert({ title: 'Opening lines', category: 'Investments' })
  for (const [query, action] of [
    ['took back the invitation of norma', 'invitation_taken_back'],
    ['revocó la invitación de norma', 'invitation_taken_back'],
    ['opening training content', 'created'],
    ['agregó opening contenido de capacitación', 'created'],
  ]) {
    const { data } = await call<Entry[]>(admin, 'audit_entries', { query })
    expect(data, query).toMatchObject([{ action }])
  }
})

test('all addresses of a call are one entry', async () => {
  const people = ['x', 'y', 'z'].map((name) => ({ email: `${name}@together.example` }))
  await call(admin, 'plan_invitations', { people })
  const { data } = await call<Entry[]>(admin, 'audit_entries', { query: 'together.example' })
  expect(data).toMatchObject([{ action: 'invited', details: { count: 3 } }])
})

test('what was taken back is found by whose it was', async () => {
  const scene = newcomerScene(team, admin)
  const other = await team.aMember({ isAdmin: true, firstName: 'Oona', lastName: 'Sender' })
  const id = await scene.anInvitation('late@elsewhere.example', { by: other })
  await call(admin, 'set_member_status', {
    member_id: other.id,
    status: 'suspended',
    reason: 'Left',
  })
  const { data } = await call<Entry[]>(admin, 'audit_entries', { query: 'took sender' })
  expect(data).toMatchObject([
    { action: 'invitation_taken_back', details: { invited_by: other.id } },
  ])
  expect(data?.[0]?.people.toSorted()).toEqual([id, other.id].toSorted())
})

test('an admin finds entries by an address that its owner hides', async () => {
  const shy = await team.aMember({ firstName: 'Shy', lastName: 'One' })
  await team.sql("update private.members set email_audience = 'nobody' where id = $1", [shy.id])
  await call(admin, 'set_member_status', {
    member_id: shy.id,
    status: 'suspended',
    reason: 'A test',
  })
  const { data } = await call<Entry[]>(admin, 'audit_entries', { query: `${shy.email} suspended` })
  expect(data).toMatchObject([{ people: [shy.id] }])
})

test('an invitation of somebody who deleted their account names nobody any more', async () => {
  const scene = newcomerScene(team, admin)
  const person = await scene.anAccount({ email: 'ghost@elsewhere.example' })
  const id = await scene.anInvitation('phantom@elsewhere.example')
  await team.sql(
    `update public.invitations set email = $2, first_name = 'Ghostella', revoked_at = now() where id = $1`,
    [id, person.email],
  )
  const found = async () =>
    (await call<Entry[]>(admin, 'audit_entries', { query: 'ghostella' })).data?.length
  expect(await found()).toBe(2)
  await scene.rule('open')
  await call(person, 'join_team')
  await team.sql('delete from auth.users where id = $1', [person.id])
  expect(await found()).toBe(0)
})

test('a name that thousands have hides no entry', async () => {
  await team.sql(
    `insert into private.members (id, email, first_name, last_name)
     select gen_random_uuid(), 'c' || n || '@common.example', 'Kim' || n, 'Common' from generate_series(1, 2500) n`,
  )
  for (const query of [
    'kim7 common',
    'kim1500 common',
    'kim2499 common joined',
    'common @common kim1',
  ]) {
    const { data } = await call<Entry[]>(admin, 'audit_entries', { query, max_results: 1 })
    expect(data, query).toHaveLength(1)
  }
  const { data } = await call<Entry[]>(admin, 'audit_entries', { query: 'kim2501 common' })
  expect(data).toEqual([])
  // 2,500 people join as each would, which takes milliseconds for each.
}, 60_000)
