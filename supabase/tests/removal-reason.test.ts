// Why a message was removed is for its sender and for supervisors. Tables and functions are enumerated from the catalog, so
// what is added later is covered too.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGroup, sealAll, send } from './archive-records.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

const WORD = 'Quetzalcoatl'
const REASON = `Names the customer ${WORD}`

let team: Team
let ada: Person
let sue: Person
let maya: Person
let chatId: string
let messageId: string
/** Everybody else, by what they are. */
let others: Record<string, Person>

beforeAll(async () => {
  team = await aTeam()
  ada = await team.aMember({ firstName: 'Ada', isAdmin: true })
  sue = await team.aMember({ firstName: 'Sue', canSupervise: true })
  maya = await team.aMember({ firstName: 'Maya' })
  const [theo, grace] = [
    await team.aMember({ firstName: 'Theo' }),
    await team.aMember({ firstName: 'Grace', isAdmin: true }),
  ]
  chatId = await aGroup(maya, [theo, ada, grace])
  messageId = await send(maya, 'Mrs. Miller signs', chatId)
  await call(theo, 'report_message', { message_id: messageId, reason: 'private_data' })
  await call(theo, 'report_member', { member_id: maya.id, reason: 'other' })
  await theo.client
    .from('chat_messages')
    .insert({ chat_id: chatId, sender_id: theo.id, message: 'Who?', reply_to: messageId })
    .throwOnError()
  const { error } = await call(ada, 'remove_message', { message_id: messageId, reason: REASON })
  expect(error).toBeNull()
  await sealAll(team)
  await team.sql('select public.index_archive(100)')
  others = {
    'a participant': theo,
    'another admin in the chat': grace,
    'an admin who is not in the chat': await team.aMember({ isAdmin: true }),
    'a member who is not in the chat': await team.aMember(),
    'a visitor': team.anonymous(),
  }
})
afterAll(() => team?.close())

type Callable = { name: string; args: string[]; types: string[] }

/** What only reads, and what reads while it records that it was read. */
const readingFunctions = () =>
  team.sql<Callable>(
    `select p.proname as name, coalesce(p.proargnames[1:p.pronargs]::text[], '{}') as args,
       array(select format_type(t, null) from unnest(p.proargtypes) t) as types
     from pg_proc p
     where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype
       and (p.provolatile <> 'v' or p.proname in ('search_archive', 'export_search', 'restore_message', 'look_at_chat'))`,
  )

function argument(name: string, type: string | undefined): unknown {
  if (type === 'uuid') return /chat/.test(name) ? chatId : /member/.test(name) ? maya.id : messageId
  if (type === 'uuid[]') return [messageId]
  if (type === 'text') return /reason/.test(name) ? 'Curious' : WORD
  if (type === 'timestamp with time zone')
    return /before|until|to/.test(name) ? '2100-01-01' : '2020-01-01'
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'bigint') return /page|count/.test(name) ? 0 : 50
  return null
}

async function everythingSeenBy({ client }: Person) {
  const relations = await team.sql<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'p', 'm')`,
  )
  const seen: Record<string, unknown> = {}
  for (const { name } of relations) seen[name] = (await client.from(name).select('*')).data
  for (const { name, args, types } of await readingFunctions()) {
    const full = Object.fromEntries(args.map((arg, at) => [arg, argument(arg, types[at])]))
    const typed = Object.entries(full).filter(([, value]) => value !== WORD)
    // Also without what is looked for, which might find nothing.
    seen[name] = [
      (await client.rpc(name, full)).data,
      (await client.rpc(name, Object.fromEntries(typed))).data,
    ]
  }
  return seen
}

test('nobody but its sender, who removed it and supervisors finds the reason in any table, view or function', async () => {
  for (const [who, person] of Object.entries(others)) {
    const seen = await everythingSeenBy(person)
    const where = Object.keys(seen).filter((name) => JSON.stringify(seen[name])?.includes(WORD))
    expect(where, who).toEqual([])
  }
})

test('its sender finds it in the chat and in their export, a supervisor in the search of the archive', async () => {
  const own = await everythingSeenBy(maya)
  expect(JSON.stringify(own.chat_messages)).toContain(REASON)
  expect(JSON.stringify(own.export_my_data)).toContain(REASON)
  const reviewed = await call(sue, 'search_archive', { reason: 'Audit', words: 'Miller' })
  expect(JSON.stringify(reviewed.data)).toContain(REASON)
})

test('the audit log, what is pushed and what is published live say that it was removed, and not why', async () => {
  for (const table of ['private.audit_log', 'private.push_outbox', 'realtime.messages']) {
    const rows = await team.sql<{ row: string }>(`select t::text as row from ${table} t`)
    expect(
      rows.filter(({ row }) => row.includes(WORD)),
      table,
    ).toEqual([])
  }
  const [entry] = await team.sql(
    `select action from private.audit_log where kind = 'message' and object_id = $1`,
    [messageId],
  )
  expect(entry).toEqual({ action: 'removed' })
})

test('only the records of the message itself keep the reason', async () => {
  const records = await team.sql<{ kind: string; audience: string }>(
    `select distinct kind from archive.records where content::text like $1`,
    [`%${WORD}%`],
  )
  expect(records).toEqual([{ kind: 'message.removed' }])
})
