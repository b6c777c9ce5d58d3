import { afterEach, expect, test } from 'vitest'
import { setLocale } from '#lib/messages/runtime.js'
import type { AuditEntry } from '#features/audit-log/audit-queries.ts'
import { anEntry } from '#features/audit-log/audit-builders.ts'
import { sentenceOf } from './sentence-of.ts'

afterEach(() => void setLocale('en', { reload: false }))

const member = (before: object, after: object, some: Partial<AuditEntry> = {}) =>
  anEntry({ before: before as AuditEntry['before'], after: after as AuditEntry['after'], ...some })
const status = (from: string, to: string, some?: Partial<AuditEntry>) =>
  member({ status: from }, { status: to }, some)
const own = { actor_id: 'marcus' }
const lexicon = (some: Partial<AuditEntry>) =>
  anEntry({
    kind: 'supervision',
    action: 'lexicon_changed',
    object_name: 'no risk',
    people: [],
    ...some,
  })
const sampling = (people: string[], before: AuditEntry['before'], after: AuditEntry['after']) =>
  anEntry({ kind: 'supervision', action: 'sampling', people, before, after })

test.each<[string, AuditEntry]>([
  ['Dana Reyes made Marcus Bell an admin', member({ role: 'user' }, { role: 'admin' })],
  ['Marcus Bell became an admin', member({ role: 'user' }, { role: 'admin' }, own)],
  ['Dana Reyes removed Marcus Bell as an admin', member({ role: 'admin' }, { role: 'user' })],
  ['Dana Reyes suspended Marcus Bell', status('active', 'suspended')],
  [
    'Dana Reyes removed Marcus Bell from the team',
    member({ status: 'active', role: 'admin' }, { status: 'removed', role: 'user' }),
  ],
  ['Dana Reyes declined Marcus Bell', status('waiting', 'declined')],
  ['Dana Reyes declined Marcus Bell', status('waiting', 'removed')],
  ['Dana Reyes approved Marcus Bell', status('declined', 'active')],
  ['Dana Reyes approved Marcus Bell', status('waiting', 'active')],
  ['Dana Reyes took back approving Marcus Bell', status('active', 'waiting')],
  ['Dana Reyes took back declining Marcus Bell', status('declined', 'waiting')],
  ['Dana Reyes took back declining Marcus Bell', status('removed', 'waiting')],
  ['Marcus Bell asked to join the team', status('removed', 'waiting', own)],
  ['Marcus Bell joined the team', status('waiting', 'active', own)],
  ['Dana Reyes readmitted Marcus Bell', status('suspended', 'active')],
  ['Marcus Bell deleted their account', status('active', 'deleted', own)],
  [
    'The server deleted the account of Marcus Bell',
    status('active', 'deleted', { actor_id: null }),
  ],
  [
    'Marcus Bell asked to join the team',
    anEntry({ action: 'joined', after: { status: 'waiting' } }),
  ],
  ['Marcus Bell joined the team', anEntry({ action: 'joined', after: { status: 'active' } })],
  [
    'Dana Reyes turned off “Can Send Messages” for Marcus Bell',
    member({ can_send_messages: true }, { can_send_messages: false }),
  ],
  [
    'Dana Reyes turned on “Rally Chat” for Marcus Bell',
    member({ rally_enabled: false }, { rally_enabled: true }),
  ],
  [
    'Dana Reyes changed the permissions of Marcus Bell',
    member(
      { rally_enabled: true, can_create_chats: true },
      { rally_enabled: false, can_create_chats: false },
    ),
  ],
  [
    'Dana Reyes made Ana the sponsor of Marcus Bell',
    member({ sponsor_id: null }, { sponsor_id: 'ana' }),
  ],
  [
    'Dana Reyes changed the sponsor of Marcus Bell: Ana → Ben',
    member({ sponsor_id: 'ana' }, { sponsor_id: 'ben' }),
  ],
  [
    'Dana Reyes removed the sponsor of Marcus Bell',
    member({ sponsor_id: 'ana' }, { sponsor_id: null }),
  ],
  [
    'Marcus Bell became an admin',
    member({ status: 'waiting', role: 'user' }, { status: 'active', role: 'admin' }, own),
  ],
  [
    'Two-step verification of Marcus Bell was turned on',
    anEntry({ action: 'second_factor_on', actor_id: null }),
  ],
  [
    'Two-step verification of Marcus Bell was turned off',
    anEntry({ action: 'second_factor_off', actor_id: null }),
  ],
  [
    'An authenticator app was added to two-step verification of Marcus Bell',
    anEntry({ action: 'second_factor_added', actor_id: null }),
  ],
  [
    'An authenticator app was removed from two-step verification of Marcus Bell',
    anEntry({ action: 'second_factor_removed', actor_id: null }),
  ],
  [
    'Dana Reyes reset two-step verification of Marcus Bell',
    anEntry({ action: 'second_factor_reset' }),
  ],
  [
    'Dana Reyes changed “Team time zone”: America/New York → America/Chicago',
    anEntry({
      kind: 'setting',
      before: { time_zone: 'America/New_York' },
      after: { time_zone: 'America/Chicago' },
    }),
  ],
  [
    'Dana Reyes changed “Who can join”: Anyone who signs up → Only with an invitation',
    anEntry({
      kind: 'setting',
      before: { registration: 'open' },
      after: { registration: 'invitation' },
    }),
  ],
  [
    'Dana Reyes made Marcus Bell vice president',
    anEntry({
      kind: 'setting',
      before: { vice_presidents: ['ana'] },
      after: { vice_presidents: ['ana', 'marcus'] },
    }),
  ],
  [
    'Dana Reyes changed the order of the vice presidents',
    anEntry({
      kind: 'setting',
      before: { vice_presidents: ['ana', 'marcus'] },
      after: { vice_presidents: ['marcus', 'ana'] },
    }),
  ],
  [
    'Dana Reyes removed Ana as vice president',
    anEntry({
      kind: 'setting',
      before: { vice_presidents: ['ana'] },
      after: { vice_presidents: [] },
    }),
  ],
  [
    'Dana Reyes changed “Monday meeting”: Start time 9:00\u00a0AM → 10:00\u00a0AM',
    anEntry({
      kind: 'content',
      object_name: 'Monday meeting',
      before: { start_time: '09:00:00' },
      after: { start_time: '10:00:00' },
      details: { list: 'schedule' },
    }),
  ],
  [
    'Dana Reyes changed “Script”: Title, Link, and Image',
    anEntry({
      kind: 'content',
      object_name: 'Script',
      before: { title: 'a', url: null, image_url: null },
      after: { title: 'b', url: 'c', image_url: 'd' },
    }),
  ],
  [
    'Dana Reyes deleted “Script” from Training Content',
    anEntry({
      kind: 'content',
      object_name: 'Script',
      before: { is_active: true },
      after: { is_active: false },
      details: { list: 'training' },
    }),
  ],
  [
    'Dana Reyes changed the order in Licensing',
    anEntry({ kind: 'content', action: 'reordered', details: { list: 'licensing' } }),
  ],
  [
    'Dana Reyes renamed the group “Squad” to “Troop”',
    anEntry({
      kind: 'chat',
      object_name: 'Troop',
      before: { name: 'Squad' },
      after: { name: 'Troop' },
    }),
  ],
  [
    'Dana Reyes added Marcus Bell, Ana, Ben and 40 more to “Squad”',
    anEntry({
      kind: 'chat',
      action: 'members_added',
      object_name: 'Squad',
      people: ['marcus', 'ana', 'ben', 'dana'],
      people_count: 43,
    }),
  ],
  [
    'The server removed Ana and Ben from “Squad”',
    anEntry({
      kind: 'chat',
      action: 'members_removed',
      actor_id: null,
      object_name: 'Squad',
      people: ['ana', 'ben'],
    }),
  ],
  [
    'Dana Reyes withdrew the notice “Kick-off”',
    anEntry({
      kind: 'notice',
      object_name: 'Kick-off',
      before: { cancelled_at: null },
      after: { cancelled_at: '2026-11-20T15:00:00Z' },
    }),
  ],
  [
    'Dana Reyes removed a message by Marcus Bell in “Rally Chat”',
    anEntry({ kind: 'message', action: 'removed', object_name: 'Rally Chat' }),
  ],
  [
    'Dana Reyes invited Ana',
    anEntry({
      kind: 'invitation',
      action: 'invited',
      people: ['ana'],
      details: { count: 1 },
    }),
  ],
  [
    'Dana Reyes took back an invitation link',
    anEntry({ kind: 'invitation', action: 'link_taken_back', people: ['dana'] }),
  ],
  [
    'Dana Reyes took back an invitation link of Marcus Bell',
    anEntry({ kind: 'invitation', action: 'link_taken_back' }),
  ],
  [
    'Dana Reyes took back the invitation of Ana by Marcus Bell',
    anEntry({
      kind: 'invitation',
      action: 'invitation_taken_back',
      people: ['ana'],
      details: { count: 1, invited_by: 'marcus' },
    }),
  ],
  [
    'Dana Reyes took back the invitations of Ana and Ben',
    anEntry({
      kind: 'invitation',
      action: 'invitation_taken_back',
      people: ['ana', 'ben'],
      details: { count: 2 },
    }),
  ],
  [
    'Dana Reyes placed a legal hold on Marcus Bell',
    anEntry({ kind: 'archive', action: 'hold_placed' }),
  ],
  [
    'Dana Reyes lifted the legal hold on Squad',
    anEntry({ kind: 'archive', action: 'hold_lifted', people: [], object_name: 'Squad' }),
  ],
  [
    'Dana Reyes changed how long records are kept: Messages and images',
    anEntry({ kind: 'archive', action: 'retention', details: { category: 'message' } }),
  ],
  [
    'Dana Reyes changed the house rules',
    anEntry({ kind: 'rules', before: { body: '' }, after: { body: 'Be kind' } }),
  ],
  [
    'Dana Reyes changed the house rules and asked everybody to accept them',
    anEntry({ kind: 'rules', after: { body: 'Be kind' }, details: { asked_again: true } }),
  ],
  [
    'Dana Reyes asked everybody to accept the house rules again',
    anEntry({ kind: 'rules', after: { version: 3 }, details: { asked_again: true } }),
  ],
  [
    'Dana Reyes added “no risk” to the lexicon',
    lexicon({ action: 'lexicon_added', after: { phrase: 'no risk' } }),
  ],
  [
    'Dana Reyes changed “no risk” in the lexicon: Phrase and Exceptions',
    lexicon({ before: { phrase: 'a', exceptions: [] }, after: { phrase: 'b', exceptions: ['c'] } }),
  ],
  [
    'Dana Reyes paused “no risk” in the lexicon',
    lexicon({ before: { is_active: true }, after: { is_active: false } }),
  ],
  [
    'Dana Reyes turned “no risk” in the lexicon back on',
    lexicon({ before: { is_active: false }, after: { is_active: true } }),
  ],
  ['Dana Reyes erased “no risk” from the lexicon', lexicon({ action: 'lexicon_removed' })],
  [
    'Dana Reyes changed the random sample of the team: 5% → 12.5%',
    sampling([], { percent: 5 }, { percent: 12.5 }),
  ],
  [
    'Dana Reyes changed the random sample of the line of Marcus Bell: As the team → 20%',
    sampling(['marcus'], { percent: null }, { percent: 20 }),
  ],
  ['Dana Reyes changed something', anEntry({ action: 'promoted' })],
])('%s', (sentence, entry) => {
  expect(sentenceOf(entry)).toBe(sentence)
})

test.each<[string, AuditEntry]>([
  ['Dana Reyes nombró administrador a Marcus Bell', member({ role: 'user' }, { role: 'admin' })],
  ['El servidor suspendió a Marcus Bell', status('active', 'suspended', { actor_id: null })],
  [
    'Dana Reyes agregó a Ana y Ben a «Squad»',
    anEntry({
      kind: 'chat',
      action: 'members_added',
      object_name: 'Squad',
      people: ['ana', 'ben'],
    }),
  ],
])('in Spanish: %s', (sentence, entry) => {
  void setLocale('es', { reload: false })
  expect(sentenceOf(entry)).toBe(sentence)
})
