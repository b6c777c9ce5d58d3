// The list does not count the messages of somebody who has not read for long (far_back.sql): it must not show.
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let people: Person[]
let chatId: string
beforeEach(async () => {
  team = await aTeam()
  people = []
  for (const firstName of ['Ann', 'Bea', 'Cal', 'Dee'])
    people.push(await team.aMember({ firstName }))
  const { data, error } = await call<string>(people[0] as Person, 'create_chat', {
    member_ids: people.slice(1).map(({ id }) => id),
    name: 'Squad',
    first_message: 'Hi',
  })
  if (error) throw error
  chatId = data ?? ''
})
afterEach(() => team?.close())

/** `count` messages a millisecond apart, each tenth of them the first person's, the others by turns. */
const write = (count: number) =>
  team.sql(
    `insert into public.chat_messages (chat_id, sender_id, message, sent_at)
     select $1, case when n % 10 = 0 then $2::uuid else ($3::uuid[])[1 + n % 3] end, n::text,
       clock_timestamp() - make_interval(secs => ($4 - n) / 1000.0)
     from generate_series(1, $4::int) n`,
    [chatId, people[0]?.id, people.slice(1).map(({ id }) => id), count],
  )

/** As if each had read up to some moment between the first message and the last. */
const readUpTo = (share: number) =>
  team.sql(
    `update private.chat_participants p set last_read_at = (
       select percentile_disc($2::float8) within group (order by m.sent_at)
       from public.chat_messages m where m.chat_id = $1
     ) where p.chat_id = $1`,
    [chatId, share],
  )

const shown = async (person: Person) => {
  const { data } = await call<{ chat_id: string; unread_count: number }[]>(person, 'chat_list')
  return data?.find((chat) => chat.chat_id === chatId)?.unread_count
}

const counted = async ({ id }: Person) => {
  const [row] = await team.sql<{ count: number }>(
    `select least(count(*), 100)::int as count
     from public.chat_messages m
     join private.chat_participants p on p.chat_id = m.chat_id and p.user_id = $2
     where m.chat_id = $1 and m.sent_at > coalesce(p.last_read_at, '-infinity') and m.sender_id <> $2
       and not m.is_deleted and m.sender_id <> all (private.blocked_by($2))`,
    [chatId, id],
  )
  return row?.count
}

async function isCountedRightly() {
  for (const share of [0, 0.3, 0.5, 0.6, 0.66, 0.7, 0.8, 0.95, 1]) {
    await readUpTo(share)
    for (const person of people) expect(await shown(person), `${share}`).toBe(await counted(person))
  }
}

const farBack = async () => {
  const [row] = await team.sql<{ sent_at: Date | null }>(
    'select sent_at from private.far_back where chat_id = $1',
    [chatId],
  )
  return row?.sent_at ?? null
}

test('everybody’s unread messages are counted as if one by one, wherever they stopped reading', async () => {
  await write(500)
  expect(await farBack()).not.toBeNull()
  await isCountedRightly()
})

test('deleted, restored and erased messages change the count at once', async () => {
  await write(320)
  const change = (how: string) =>
    team.sql(`${how} where chat_id = $1 and sender_id = $2 and message::int > 150`, [
      chatId,
      people[1]?.id,
    ])
  await team.sql("update public.chat_messages set message = '0' where message = 'Hi'")
  const before = await farBack()
  await change('update public.chat_messages set is_deleted = true')
  expect(Number(await farBack())).toBeLessThan(Number(before))
  await isCountedRightly()
  await change('update public.chat_messages set is_deleted = false')
  expect(await farBack()).toEqual(before)
  await change('delete from public.chat_messages')
  await isCountedRightly()
})

test('the messages of blocked people and one’s own stay out of the count', async () => {
  await write(300)
  await people[1]?.client.rpc('block_member', { member_id: people[2]?.id })
  await isCountedRightly()
  await team.sql('update public.chat_messages set sender_id = $2 where chat_id = $1', [
    chatId,
    people[1]?.id,
  ])
  expect(await farBack()).toBeNull()
  await isCountedRightly()
})

test('a message that is deleted while another is sent counts for nobody', async () => {
  await write(111)
  const other = new pg.Client({ connectionString: team.backend.superuserUrl })
  await other.connect()
  await other.query('begin')
  await other.query(
    'update public.chat_messages set is_deleted = true where chat_id = $1 and sender_id = $2',
    [chatId, people[1]?.id],
  )
  const sent = team.sql('select private.find_far_back(array[$1::uuid])', [chatId])
  await other.query('commit')
  await other.end()
  await sent
  await isCountedRightly()
})
