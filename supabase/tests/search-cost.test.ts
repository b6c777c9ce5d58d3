// Search in a long history: pages touched, which unlike time do not depend on the machine.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pagesTouched } from './pages-touched.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

const MESSAGES = 60_000

let team: Team
let maya: Person
let other: Person

beforeAll(async () => {
  team = await aTeam()
  maya = await team.aMember()
  other = await team.aMember()
  await team.sql('alter table public.chat_messages disable trigger user')
  await team.sql('drop index public.chat_messages_words')
  await team.sql(
    `insert into public.chat_messages (chat_id, sender_id, message, sent_at)
     select $1, $2, 'appointment at ' || n || case n % 30000 when 7 then ' persimmon' else '' end,
       now() - n * interval '1 minute' from generate_series(1, $3::int) n`,
    [team.mandatoryChatId, other.id, MESSAGES],
  )
  await team.sql(
    'create index chat_messages_words on public.chat_messages using gin (private.message_words(message)) where not is_deleted',
  )
  await team.sql('vacuum analyze public.chat_messages')
}, 120_000)
afterAll(() => team?.close())

const cost = (query: string) =>
  pagesTouched(team, maya, `select * from public.search_everything('${query}')`)

test.each([
  ['a word of every message', 'appointment'],
  ['the beginning of a word of every message', 'appoi'],
  ['a common word with a typo', 'apointment'],
  ['a rare word', 'persimmon'],
  ['a rare word beside a common one', 'appointment persimmon'],
  ['a rare word with a typo', 'persimon'],
  ['a word that nobody said', 'xylophone'],
  ['the most common word, meant exactly', '"appointment at"'],
])('%s reads a small part of the history', async (_what, query) => {
  // A message that is looked at is read by its id, in four pages; all would be a quarter of a million.
  expect(await cost(query)).toBeLessThan(20_000)
})

test('a rare word is found however long ago it was said', async () => {
  const { data } = await call<unknown[]>(maya, 'search_everything', { query: 'persimmon' })
  expect(data).toHaveLength(2)
})

/** Of letters that do not compress, so that Postgres keeps it outside of its row and reading it takes pages of its own. */
const LONG = `(select string_agg(md5(n || ' ' || i), '') from generate_series(1, 120) i)`

test('no text is read that is not for the caller, whichever words are searched', async () => {
  const third = await team.aMember()
  const { data: chatId } = await call<string>(other, 'create_chat', {
    member_ids: [third.id],
    name: null,
    first_message: 'Hello',
  })
  await team.sql(
    `insert into public.chat_messages (chat_id, sender_id, message, sent_at)
     select $1, $2, 'quince medlar quince-medlar ' || ${LONG}, now() from generate_series(1, 300) n`,
    [chatId, other.id],
  )
  await team.sql(
    `insert into public.team_notices (title, body, created_by, published_at)
     select 'quince medlar quince-medlar', left(${LONG}, 1990), $1, now() from generate_series(1, 300) n`,
    [other.id],
  )
  const queries = ['"quince medlar"', 'quince-medlar', 'quince medlar -"medlar quince"']
  for (const query of queries) {
    const saidByNobody = query.replaceAll('quince', 'loquat').replaceAll('medlar', 'damson')
    // Reading the texts would take over 3,000.
    expect((await cost(query)) - (await cost(saidByNobody))).toBeLessThan(500)
  }
})
