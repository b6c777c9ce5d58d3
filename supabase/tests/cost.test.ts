// The cost of a long history in database pages touched, which unlike time does not depend on the machine.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pagesTouched } from './pages-touched.ts'
import { aTeam, type Person, type Team } from './team.ts'

const CHATS = 50
const SMALL = 20_000
const LARGE = 200_000

/** Page budget per chat: a few index probes, and one page per counted unread message where it is not known that there are 100. */
const PAGES_PER_CHAT = 40
const MOST_COUNTED = 100

type Costs = {
  chatList: number
  neverRead: number
  neverReadKnown: number
  latest: number
  unread: number
  markRead: number
}

let team: Team
let reader: Person
/** A member of the same chats who has never opened any. */
let newcomer: Person
let chatId: string
const costs: Record<number, Costs> = {}

beforeAll(async () => {
  team = await aTeam()
  reader = await team.aMember()
  newcomer = await team.aMember()
  const writers = [reader, await team.aMember(), await team.aMember()].map((person) => person.id)
  await team.sql(
    `insert into public.chats (name, type, created_by)
     select 'Chat ' || n, 'group', $1 from generate_series(1, $2::int - 1) n`,
    [reader.id, CHATS],
  )
  await team.sql(
    `insert into private.chat_participants (chat_id, user_id)
     select c.id, unnest($1::uuid[]) from public.chats c where c.type = 'group'`,
    [[...writers, newcomer.id]],
  )
  const [chat] = await team.sql<{ id: string }>(
    "select id from public.chats where type = 'group' limit 1",
  )
  chatId = chat?.id ?? ''
  // Broadcasting and full-text indexing 200,000 messages is not what is measured here.
  await team.sql('alter table public.chat_messages disable trigger user')
  await team.sql('drop index public.chat_messages_words')
  // Always the worst case: without a vacuum, index-only scans visit the table for each counted message.
  await team.sql('alter table public.chat_messages set (autovacuum_enabled = false)')
  let stored = 0
  for (const size of [SMALL, LARGE]) {
    await team.sql(
      `insert into public.chat_messages (chat_id, sender_id, message, sent_at)
       select (array(select id from public.chats order by id))[1 + n % $3], ($4::uuid[])[1 + n % 3],
         'message number ' || n, now() - interval '400 days' + n * interval '2 minutes'
       from generate_series($1::int, $2::int - 1) n`,
      [stored, size, CHATS, writers],
    )
    stored = size
    await team.sql(
      `update private.chat_participants set last_read_at =
         (select max(sent_at) from public.chat_messages) - interval '12 hours' where user_id = $1`,
      [reader.id],
    )
    await team.sql('analyze public.chat_messages, private.chat_participants, public.chats')
    costs[size] = await measure()
  }
}, 120_000)
afterAll(() => team?.close())

async function measure(): Promise<Costs> {
  const latest = `select * from public.chat_messages where chat_id = '${chatId}' and is_deleted = false
    order by sent_at desc limit 50`
  const unread = `select count(*) from (
    select from public.chat_messages where chat_id = '${chatId}' and is_deleted = false
      and sender_id <> '${newcomer.id}' limit 100) unread`
  const list = 'select * from public.chat_list()'
  const neverRead = await pagesTouched(team, newcomer, list)
  await team.sql('select private.find_far_back(array(select id from public.chats))')
  const neverReadKnown = await pagesTouched(team, newcomer, list)
  await team.sql('truncate private.far_back')
  return {
    chatList: await pagesTouched(team, reader, list),
    neverRead,
    neverReadKnown,
    latest: await pagesTouched(team, reader, latest),
    unread: await pagesTouched(team, newcomer, unread),
    markRead: await pagesTouched(team, reader, `select public.mark_chat_read('${chatId}')`),
  }
}

describe(`with ${SMALL} and with ${LARGE} messages in ${CHATS} chats`, () => {
  const grown = (what: keyof Costs) => (costs[LARGE]?.[what] ?? NaN) / (costs[SMALL]?.[what] ?? NaN)

  test('the chat list probes indexes: a few pages per chat', () => {
    for (const size of [SMALL, LARGE]) {
      expect(costs[size]?.chatList).toBeLessThan(CHATS * PAGES_PER_CHAT)
      expect(costs[size]?.neverRead).toBeLessThan(CHATS * (PAGES_PER_CHAT + MOST_COUNTED))
      expect(costs[size]?.neverReadKnown).toBeLessThan(CHATS * PAGES_PER_CHAT)
    }
  })

  test('the chat list does not grow with the history', () => {
    expect(grown('chatList')).toBeLessThan(1.2)
  })

  test('nor for a member who has never opened a chat: counting stops at 100', () => {
    expect(grown('neverRead')).toBeLessThan(1.2)
    expect(grown('neverReadKnown')).toBeLessThan(1.2)
  })

  test('the latest 50 messages under the policies do not grow with the history', () => {
    expect(grown('latest')).toBeLessThan(1.2)
    expect(costs[LARGE]?.latest).toBeLessThan(150)
  })

  test('counting unread messages up to 100 does not grow with the history', () => {
    expect(grown('unread')).toBeLessThan(1.2)
  })

  test('marking as read does not depend on the history', () => {
    expect(grown('markRead')).toBeLessThan(1.5)
  })
})
