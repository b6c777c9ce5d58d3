// Whatever a member, supervisor or admin sends about a report, a block, a hold, a look or a review: it is refused or cut, never kept
// at any length. The functions are read from the catalog, so one that is added later is covered too.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGroup, send } from './archive-records.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

const MARK = 'Wombat'
const LONG = `${MARK} ${'x'.repeat(20_000)}`
const NAMES =
  '(report|block|hold|look|review|lexicon|rules|archive|remove_message|member_status|sampling|supervis)'

let team: Team
let ada: Person
let sue: Person
let maya: Person
let theo: Person
let chatId: string
beforeAll(async () => {
  team = await aTeam()
  ada = await team.aMember({ firstName: 'Ada', isAdmin: true, canSupervise: true })
  sue = await team.aMember({ firstName: 'Sue', canSupervise: true })
  maya = await team.aMember({ firstName: 'Maya' })
  theo = await team.aMember({ firstName: 'Theo' })
  chatId = await aGroup(theo, [ada, maya])
})
afterAll(() => team?.close())

type Callable = { name: string; args: string[]; types: string[] }
const LARGE: Record<string, unknown> = {
  text: LONG,
  'text[]': Array.from({ length: 500 }, () => `${MARK} ${'x'.repeat(100)}`),
  jsonb: { [MARK]: LONG },
  json: { [MARK]: LONG },
}

test('no function of supervision, reports and blocks keeps an unlimited text', async () => {
  const messageId = await send(theo, 'Hello', chatId)
  const hold_id = (
    await call<string>(ada, 'place_legal_hold', { reason: 'Case', member_id: maya.id })
  ).data
  const { data: report } = await call<string>(maya, 'report_message', {
    message_id: messageId,
    reason: 'spam',
  })
  const [item] = await team.sql<{ id: string; version: number }>(
    'select id, version from private.review_items where report_id = $1',
    [report],
  )
  const ids: Record<string, unknown> = {
    message_id: messageId,
    chat_id: chatId,
    member_id: theo.id,
    item_id: item?.id,
    hold_id,
    assignee: sue.id,
    if_version: item?.version,
    status: 'suspended',
    outcome: 'fine',
    language: 'en',
    category: 'other',
    phrase: 'wombat',
    max_results: 10,
    within: 5,
  }
  const functions = await team.sql<Callable>(
    `select p.proname as name, p.proargnames[1:p.pronargs]::text[] as args,
       array(select format_type(t, null) from unnest(p.proargtypes) t) as types
     from pg_proc p
     where p.pronamespace = 'public'::regnamespace and p.pronargs > 0 and p.proname ~ $1
       and has_function_privilege('authenticated', p.oid, 'EXECUTE')`,
    [NAMES],
  )
  expect(functions.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'report_member',
      'lift_legal_hold',
      'save_lexicon_entry',
      'look_at_chat',
    ]),
  )
  let tried = 0
  for (const { name, args, types } of functions)
    for (const [at, arg] of args.entries()) {
      const large = LARGE[types[at] ?? '']
      if (large === undefined) continue
      tried++
      const usual = args
        .map((each, place) => [each, ids[each] ?? (types[place] === 'text' ? 'Reason' : undefined)])
        .filter(([, value]) => value !== undefined)
      const values = { ...(Object.fromEntries(usual) as object), [arg]: large }
      for (const person of [maya, sue, ada]) await call(person, name, values)
    }
  expect(tried).toBeGreaterThan(25)

  const tables = await team.sql<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relnamespace in ('private'::regnamespace, 'archive'::regnamespace, 'public'::regnamespace) and c.relkind = 'r'`,
  )
  for (const { name } of tables) {
    const kept = await team.sql<{ length: number }>(
      `select length(t::text) as length from ${name} t where t::text like '%' || $1 || '%' and length(t::text) > 4000`,
      [MARK],
    )
    expect(kept, name).toEqual([])
  }
})

test('a reason for lifting a hold is at most 500 characters', async () => {
  const { data: hold_id } = await call<string>(ada, 'place_legal_hold', {
    reason: 'x'.repeat(500),
    chat_id: chatId,
  })
  const lift = (reason: string) => call(ada, 'lift_legal_hold', { hold_id, reason })
  expect((await lift('x'.repeat(501))).error).toMatchObject({
    code: '23514',
    message: 'Reason is at most 500 characters',
  })
  expect((await lift('x'.repeat(500))).error).toBeNull()
})
