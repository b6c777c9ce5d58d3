import { afterAll, beforeAll, expect, test } from 'vitest'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let ann: Person
let bea: Person
let cid: Person

beforeAll(async () => {
  team = await aTeam()
})
afterAll(() => team?.close())

async function threeMembers() {
  ;[ann, bea, cid] = await Promise.all([team.aMember(), team.aMember(), team.aMember()])
}

async function anEmptyChatBy(creator: Person): Promise<string> {
  const { data, error } = await creator.client
    .from('chats')
    .insert({ type: 'individual', created_by: creator.id, is_active: true })
    .select()
    .single<{ id: string }>()
  expect(error).toBeNull()
  return data!.id
}

const add = (by: Person, chatId: string, people: Person[]) =>
  by.client
    .from('chat_participants')
    .insert(people.map(({ id }) => ({ chat_id: chatId, user_id: id, is_active: true })))

const chatsOfBoth = (one: Person, other: Person) =>
  team.sql<{ id: string }>(
    `select c.id from public.chats c
     join private.chat_participants p on p.chat_id = c.id and p.user_id = $1
     join private.chat_participants q on q.chat_id = c.id and q.user_id = $2
     where c.type = 'individual'`,
    [one.id, other.id],
  )

test('nobody creates an individual chat between two others', async () => {
  await threeMembers()
  const chat = await anEmptyChatBy(cid)
  expect((await add(cid, chat, [ann, bea])).error).toMatchObject({ code: '42501' })
  expect((await add(cid, chat, [cid, ann])).error).toBeNull()
  expect((await add(cid, chat, [bea])).error).toMatchObject({ code: '23514' })
  expect(await chatsOfBoth(ann, bea)).toEqual([])
})

test('nobody puts a chat into a list without being in it, however often they try', async () => {
  await threeMembers()
  for (let attempt = 0; attempt < 2; attempt++) {
    const added = await add(cid, await anEmptyChatBy(cid), [ann])
    expect(added.error).toMatchObject({
      code: '42501',
      message: 'An individual chat has its creator in it',
    })
  }
  const { data } = await call<{ type: string }[]>(ann, 'chat_list')
  expect(data?.filter(({ type }) => type === 'individual')).toEqual([])
})

test('the creator may be stored first or last', async () => {
  for (const first of [true, false]) {
    await threeMembers()
    const chat = await anEmptyChatBy(ann)
    expect((await add(ann, chat, first ? [ann, bea] : [bea, ann])).error).toBeNull()
  }
})

test('two people have one individual chat, however it is created', async () => {
  await threeMembers()
  expect((await add(ann, await anEmptyChatBy(ann), [ann, bea])).error).toBeNull()
  for (const creator of [ann, bea]) {
    const second = await add(creator, await anEmptyChatBy(creator), [ann, bea])
    expect(second.error).toMatchObject({ code: '23505' })
    const made = await call<string>(creator, 'create_chat', {
      member_ids: [creator === ann ? bea.id : ann.id],
      name: '',
      first_message: 'Hi',
    })
    expect(made.error).toBeNull()
  }
  expect(await chatsOfBoth(ann, bea)).toHaveLength(1)
})

test('two people who create their chat concurrently get one', async () => {
  for (let round = 0; round < 5; round++) {
    await threeMembers()
    const [mine, theirs] = await Promise.all([anEmptyChatBy(ann), anEmptyChatBy(bea)])
    const results = await Promise.all([
      add(ann, mine, [ann, bea]),
      add(bea, theirs, [bea, ann]),
      call(ann, 'create_chat', { member_ids: [bea.id], name: '', first_message: 'Hi' }),
    ])
    for (const { error } of results) if (error) expect(error.code).toBe('23505')
    expect(await chatsOfBoth(ann, bea)).toHaveLength(1)
  }
})

test('a chat that a third member created before this rule does not count as theirs', async () => {
  await threeMembers()
  const [old] = await team.sql<{ id: string }>(
    "insert into public.chats (type, created_by) values ('individual', $1) returning id",
    [cid.id],
  )
  await team.sql('alter table private.chat_participants disable trigger check_new_participant')
  await team.sql(
    'insert into private.chat_participants (chat_id, user_id) select $1, unnest($2::uuid[])',
    [old!.id, [ann.id, bea.id]],
  )
  await team.sql('alter table private.chat_participants enable trigger check_new_participant')
  const { data } = await call<string>(ann, 'create_chat', {
    member_ids: [bea.id],
    name: '',
    first_message: 'Hi',
  })
  expect(data).not.toBe(old!.id)
})
