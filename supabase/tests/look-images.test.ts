// Images in a chat that a supervisor looks at: shown for as long as the look lasts, and by no address that outlasts it.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGroup, send } from './archive-records.ts'
import { noSample, said } from './review-scene.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
let team: Team
let sue: Person
let mel: Person
let rep: Person
let chat: string
let message: string
let path: string
beforeAll(async () => {
  team = await aTeam()
  await noSample(team)
  sue = await team.aMember({ canSupervise: true })
  mel = await team.aMember()
  rep = await team.aMember()
  chat = await aGroup(mel, [rep, await team.aMember()])
  message = await sendImage()
  path = pathOf(message)
})
afterAll(() => team?.close())

const bucket = ({ client }: Person) => client.storage.from('chat-images')
const pathOf = (id: string, chatId = chat) => `${chatId}/${id}.png`

async function sendImage(chatId = chat): Promise<string> {
  const id = randomUUID()
  const { error } = await bucket(mel).upload(pathOf(id, chatId), PNG, { contentType: 'image/png' })
  if (error) throw error
  await mel.client
    .from('chat_messages')
    .insert({
      id,
      chat_id: chatId,
      sender_id: mel.id,
      message: '',
      attachment: { path: pathOf(id, chatId), width: 1, height: 1 },
    })
    .throwOnError()
  return id
}
const look = async (by: Person, chat_id = chat) =>
  (await call<string>(by, 'look_at_chat', { chat_id, reason: 'Complaint' })).data
const sees = async (person: Person, name = path) =>
  (await bucket(person).download(name)).error === null
const aSupervisor = () => team.aMember({ canSupervise: true })

async function withLooksOpen(change: () => Promise<unknown>) {
  await team.sql('alter table private.looks disable trigger keep_looks')
  await change()
  await team.sql('alter table private.looks enable trigger keep_looks')
}

test('a supervisor sees the image while the look lasts, and not before or after', async () => {
  const person = await aSupervisor()
  expect(await sees(person)).toBe(false)
  const id = await look(person)
  expect(await sees(person)).toBe(true)
  await withLooksOpen(() =>
    team.sql("update private.looks set expires_at = now() - interval '1 second' where id = $1", [
      id,
    ]),
  )
  expect(await sees(person)).toBe(false)
})

test('a look around a message shows the images near it, and no others of the chat', async () => {
  const [person, group] = [await aSupervisor(), await aGroup(mel, [rep, await team.aMember()])]
  const far = await sendImage(group)
  for (let at = 0; at < 21; at++) await send(mel, `Number ${at}`, group)
  const near = await sendImage(group)
  const around = { chat_id: group, reason: 'Complaint', message_id: near }
  expect((await call(person, 'look_at_chat', around)).error).toBeNull()
  expect(await sees(person, pathOf(near, group))).toBe(true)
  expect(await sees(person, pathOf(far, group))).toBe(false)
})

test('a look ends with the right to supervise, and with the membership', async () => {
  for (const loss of ['can_supervise = false', "status = 'suspended'"]) {
    const person = await aSupervisor()
    await look(person)
    expect(await sees(person)).toBe(true)
    await team.sql(`update private.members set ${loss} where id = $1`, [person.id])
    expect(await sees(person)).toBe(false)
  }
})

test('the look of a supervisor shows nothing to others: an admin, another supervisor, a stranger', async () => {
  await look(sue)
  expect(await sees(sue)).toBe(true)
  const [admin, other, stranger] = [
    await team.aMember({ isAdmin: true }),
    await aSupervisor(),
    await team.aMember(),
  ]
  for (const person of [admin, other, stranger]) {
    await look(person, await aGroup(mel, [rep, await team.aMember()]))
    expect(await sees(person)).toBe(false)
  }
})

test('no address can be signed that would outlast the look, and nothing is listed, changed or removed', async () => {
  const person = await aSupervisor()
  await look(person)
  expect(await sees(person)).toBe(true)
  expect((await bucket(person).createSignedUrl(path, 60)).error).not.toBeNull()
  expect((await bucket(person).createSignedUrls([path], 60)).data?.[0]?.signedUrl ?? '').toBe('')
  expect((await bucket(person).list(chat)).data).toEqual([])
  expect((await bucket(person).copy(path, `${chat}/${randomUUID()}.png`)).error).not.toBeNull()
  expect((await bucket(person).move(path, `${chat}/${randomUUID()}.png`)).error).not.toBeNull()
  expect((await bucket(person).remove([path])).data ?? []).toEqual([])
  expect(await sees(mel)).toBe(true)
})

test('the image of a deleted message is shown as long as the archive keeps it', async () => {
  const id = await sendImage()
  await mel.client.from('chat_messages').update({ is_deleted: true }).eq('id', id).throwOnError()
  const lookId = await look(sue)
  expect(await sees(mel, pathOf(id))).toBe(false)
  expect(await sees(sue, pathOf(id))).toBe(true)
  const shown = async () =>
    (
      await call<{ message_id: string; has_image: boolean; image: object | null }[]>(
        sue,
        'look_messages',
        { look_id: lookId },
      )
    ).data?.find(({ message_id }) => message_id === id)
  expect(await shown()).toMatchObject({
    has_image: true,
    image: { path: pathOf(id), width: 1, height: 1 },
  })
  await team.sql('delete from archive.files where path = $1', [pathOf(id)])
  expect(await sees(sue, pathOf(id))).toBe(false)
  expect(await shown()).toMatchObject({ has_image: true, image: null })
})

test('an upload that was never sent is shown in no look', async () => {
  const id = randomUUID()
  await bucket(mel).upload(pathOf(id), PNG, { contentType: 'image/png' })
  await look(sue)
  expect(await sees(sue, pathOf(id))).toBe(false)
})

test('an item of the queue shows the images around it, and no others of the chat', async () => {
  const person = await aSupervisor()
  for (let count = 0; count < 21; count++) await send(rep, `Between ${count}`, chat)
  const near = pathOf(await sendImage())
  const [item] = await said(team, mel, 'Guaranteed returns', chat)
  await call(person, 'open_review_item', { item_id: item?.id })
  expect(await sees(person, near)).toBe(true)
  expect(await sees(person, path)).toBe(false)
})
