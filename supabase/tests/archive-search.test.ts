// A supervisor finds whatever was ever said, in every version, and the archive has each search.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aGroup, sealAll, send, sendFile } from './archive-records.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

type Found = {
  seq: number
  record_kind: string
  actor_name: string | null
  chat_id: string | null
  chat_title: string
  subject_id: string | null
  said: string
  search_seq: number
  versions: { kind: string; text?: string; before?: string; reason?: string }[]
}

let team: Team
let sue: Person
let maya: Person
let theo: Person
let chatId: string

beforeAll(async () => {
  team = await aTeam()
  const ada = await team.aMember({ firstName: 'Ada', isAdmin: true })
  sue = await team.aMember({ firstName: 'Sue', canSupervise: true })
  maya = await team.aMember({ firstName: 'María', lastName: 'Núñez' })
  theo = await team.aMember({ firstName: 'Theo', lastName: 'Brandt' })
  chatId = await aGroup(maya, [theo, ada])
})
afterAll(() => team?.close())

const reason = 'Examination 2026'
const search = (criteria: object, person = sue) =>
  call<Found[]>(person, 'search_archive', { reason, ...criteria })
async function found(criteria: object): Promise<Found[]> {
  const { data, error } = await search(criteria)
  if (error) throw error
  return data ?? []
}
const kinds = (rows: Found[]) => rows.map(({ record_kind }) => record_kind)
const lastSeq = async () =>
  (await team.sql<{ seq: number }>('select max(seq)::int as seq from archive.records'))[0]?.seq ?? 0
async function index() {
  await sealAll(team)
  await team.sql('select public.index_archive(100)')
}

/** What is found must not depend on whether the worker has come to it. */
describe.each(['not indexed yet', 'indexed'])('%s:', (state) => {
  const mark = state === 'indexed' ? 'quetzal' : 'colibri'
  const settled = async () => {
    if (state === 'indexed') await index()
  }

  test('characters that nobody sees hide nothing', async () => {
    const id = await send(maya, `un${mark.replace('l', '\u2060l\u00ad')}s`, chatId)
    await settled()
    expect((await found({ words: `un${mark}s` })).map((row) => row.subject_id)).toEqual([id])
  })

  test('every version of a message is found, with what became of it', async () => {
    const id = await send(maya, `Garantizo el 12 % de comisión, ${mark}`, chatId)
    await maya.client.from('chat_messages').update({ message: 'Hola' }).eq('id', id).throwOnError()
    await maya.client.from('chat_messages').update({ is_deleted: true }).eq('id', id).throwOnError()
    await settled()
    const rows = await found({ words: `comision ${mark}` })
    expect(kinds(rows)).toEqual(['message.edited', 'message.sent'])
    expect(rows[1]).toMatchObject({
      actor_name: 'María Núñez',
      chat_id: chatId,
      chat_title: 'Closers',
      subject_id: id,
      said: `Garantizo el 12 % de comisión, ${mark}`,
      versions: [
        { kind: 'message.edited', before: `Garantizo el 12 % de comisión, ${mark}`, text: 'Hola' },
        { kind: 'message.deleted', text: 'Hola' },
      ],
    })
  })

  test('by person, also under a former name, and after leaving', async () => {
    const gone = await team.aMember({ firstName: 'Zoë', lastName: `Former${mark}` })
    const chat = await aGroup(gone, [maya, theo])
    await send(gone, `Last words ${mark}`, chat)
    await team.sql(`update private.members set last_name = 'Changed' where id = $1`, [gone.id])
    await team.sql('delete from auth.users where id = $1', [gone.id])
    await settled()
    const rows = await found({ person: `zoe former${mark}`, words: 'last words' })
    expect(rows.map(({ said }) => said)).toEqual([`Last words ${mark}`])
    expect(await found({ person: `zoe former${mark}`, words: 'something else' })).toEqual([])
    expect(await found({ person: 'nobody at all' })).toEqual([])
  })

  test('a file by the words of its name, and a chat by a name it had before, also when it is gone', async () => {
    const chat = await aGroup(maya, [theo])
    const was = `Bonus ${mark}`
    await team.sql('update public.chats set name = $2 where id = $1', [chat, was])
    await team.sql(`update public.chats set name = 'Now' where id = $1`, [chat])
    const name = `payout_${mark}-2026.txt`
    const id = await sendFile(maya, name, chat)
    await settled()
    for (const words of [`payout ${mark}`, name])
      expect(await found({ words, chat: was }), words).toMatchObject([
        { subject_id: id, said: name, chat_title: 'Now' },
      ])
    await team.sql('delete from public.chats where id = $1', [chat])
    await settled()
    const [erased, sent] = await found({ words: `payout ${mark}`, chat: was })
    expect(erased?.record_kind).toBe('message.erased')
    expect(sent).toMatchObject({ said: name, chat_title: 'Now' })
  })

  test('by chat, kind and time', async () => {
    const { id: before } = await team
      .sql<{ id: string }>('select clock_timestamp()::text as id')
      .then(([row]) => row ?? { id: '' })
    await send(theo, `In this chat ${mark}`, chatId)
    await settled()
    const inChat = await found({ words: mark, chat: 'clos', from_time: before })
    expect(inChat.map(({ said }) => said)).toEqual([`In this chat ${mark}`])
    expect(await found({ words: mark, chat: chatId, from_time: before })).toHaveLength(1)
    expect(await found({ words: mark, chat: 'clos', to_time: '2001-01-01' })).toEqual([])
    expect(new Set(kinds(await found({ kind: 'chat', chat: chatId })))).toEqual(
      new Set(['chat.created', 'chat.joined']),
    )
    expect(kinds(await found({ kind: 'message.edited', words: mark }))).toEqual(['message.edited'])
  })
})

test('pages of at most 50 follow one another, the newest first, over what is indexed and what is not', async () => {
  const many = (from: number, to: number) =>
    team.sql(
      `insert into public.chat_messages (chat_id, sender_id, message)
       select $1, $2, 'Paging ' || n from generate_series($3::int, $4::int) n`,
      [chatId, theo.id, from, to],
    )
  await many(1, 70)
  await index()
  await many(71, 120)
  const seen: Found[] = []
  for (;;) {
    const page = await found({ words: 'paging', before_seq: seen.at(-1)?.seq, max_results: 500 })
    expect(page.length).toBeLessThanOrEqual(50)
    seen.push(...page)
    if (page.length < 50) break
  }
  expect(seen.map(({ seq }) => seq)).toEqual(
    seen.map(({ seq }) => seq).toSorted((one, other) => other - one),
  )
  expect(new Set(seen.map(({ said }) => said)).size).toBe(120)
})

test('each search is a record with its reason and its criteria; a search does not find the reasons of others', async () => {
  const before = await lastSeq()
  await found({ words: 'guarantee', person: 'theo' })
  const records = await team.sql(
    'select kind, actor_id, audience, content from archive.records where seq > $1',
    [before],
  )
  expect(records).toEqual([
    {
      kind: 'search.made',
      actor_id: sue.id,
      audience: 'admins',
      content: { reason, criteria: { words: 'guarantee', person: 'theo', people: [theo.id] } },
    },
  ])
  expect(await found({ words: 'examination' })).toEqual([])
})

test('what others reported, reviewed or looked at is not searched: it may be about the supervisor', async () => {
  await call(theo, 'report_member', {
    member_id: sue.id,
    reason: 'harassment',
    note: 'Ocelot stares at me',
  })
  for (const state of ['not indexed yet', 'indexed']) {
    expect(await found({ words: 'ocelot' }), state).toEqual([])
    for (const kind of ['report', 'report.made', 'look', 'review', 'hold', 'search', '\\'])
      expect(await found({ kind }), `${state}: ${kind}`).toEqual([])
    await index()
  }
})

test('a search gives the number of its record, and names mean whom they meant then', async () => {
  const group = await aGroup(maya, [theo, sue], 'Yarrow crew')
  await send(maya, 'Yarrow tea', group)
  const rows = await found({ words: 'yarrow', chat: 'yarrow', person: 'maria' })
  const [record] = await team.sql<{ seq: number; content: object }>(
    `select seq::int, content from archive.records where kind = 'search.made' order by archive.records.seq desc limit 1`,
  )
  expect(new Set(rows.map((row) => row.search_seq))).toEqual(new Set([record?.seq]))
  expect(record?.content).toMatchObject({ criteria: { chats: [group], people: [maya.id] } })
})

test.each(['person', 'chat', 'kind', 'message'])(
  'the word "%s" is found where somebody wrote it, not in every record',
  async (word) => {
    await send(maya, `I say ${word}, as an heirloom`, chatId)
    await index()
    const rows = await found({ words: `heirloom ${word}` })
    expect(rows.map(({ said }) => said)).toEqual([`I say ${word}, as an heirloom`])
    for (const { said } of await found({ words: word })) expect(said.toLowerCase()).toContain(word)
  },
)

test.each([
  { from_time: 'infinity' },
  { to_time: '-infinity' },
  { to_time: '2100-01-01 BC' },
  { from_time: '10000-01-01' },
])('a time that no record can have is refused: %o', async (criteria) => {
  expect((await search(criteria)).error).toMatchObject({ code: '22008' })
})

test('a name that more than 50 chats had is refused, not cut off', async () => {
  for (let number = 0; number < 51; number++) await aGroup(maya, [theo, sue], `Zinnia ${number}`)
  expect((await search({ chat: 'zinnia' })).error?.message).toBe(
    'More than 50 chats are called this',
  )
  expect((await found({ chat: 'zinnia 50' })).length).toBeGreaterThan(0)
})

test('without a reason nothing is searched', async () => {
  for (const missing of ['', '  x ', 'x'.repeat(501)])
    expect((await search({ reason: missing })).error?.message).toBe(
      'Say why you search, in 3 to 500 characters',
    )
})

test('only supervisors search: neither members nor admins nor servers, and a refused search leaves no record', async () => {
  const ada = await team.aMember({ isAdmin: true })
  const before = await lastSeq()
  for (const person of [maya, ada]) {
    expect((await search({}, person)).error?.code).toBe('42501')
    expect((await call(person, 'export_search', { reason })).error?.code).toBe('42501')
  }
  for (const role of ['anon', 'service_role'] as const) {
    const claimsText = JSON.stringify({ role, sub: sue.id })
    for (const name of ['search_archive', 'export_search'])
      await expect(
        team.backend.database.runAs(
          { role, claimsText },
          { text: `select * from public.${name}('Reason')` },
        ),
      ).rejects.toMatchObject({ code: '42501' })
  }
  expect(await lastSeq()).toBe(before)
})

test('a result is taken out as the lines that were hashed, and that is a record', async () => {
  await index()
  const { data } = await call<{ seq: number; line: string }[]>(sue, 'export_search', {
    reason,
    words: 'paging',
  })
  expect(data).toHaveLength(120)
  const [row] = await team.sql<{ line: string }>(
    'select archive.line(r) as line from archive.records r where seq = $1',
    [data?.[0]?.seq],
  )
  expect(data?.[0]?.line).toBe(row?.line)
  const [record] = await team.sql(
    'select kind, content from archive.records order by seq desc limit 1',
  )
  expect(record).toEqual({
    kind: 'export.page',
    content: { reason, criteria: { words: 'paging' } },
  })
})

test('while much is not indexed yet, a search says so instead of leaving something out', async () => {
  await team.sql(
    `insert into public.chat_messages (chat_id, sender_id, message)
     select $1, $2, 'Waiting ' || n from generate_series(1, 5100) n`,
    [chatId, theo.id],
  )
  expect((await search({ words: 'waiting' })).error?.message).toBe(
    'The archive is still being prepared for searching',
  )
  await index()
  expect(await found({ words: 'waiting' })).toHaveLength(50)
})
