import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { removeUnusedImages } from '../functions/push/remove-unused-images.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
let team: Team
let ann: Person
let chatId: string

beforeAll(async () => {
  team = await aTeam()
})
afterAll(() => team?.close())
beforeEach(async () => {
  ann = await team.aMember()
  chatId = team.mandatoryChatId
})

const bucketOf = ({ client }: Person) => client.storage.from('chat-images')
const upload = (path: string, by = ann) =>
  bucketOf(by).upload(path, PNG, { contentType: 'image/png' })
const exists = async (path: string) => (await bucketOf(team.service()).exists(path)).data
const aPath = (messageId: string = randomUUID()) => `${chatId}/${messageId}.png`
const send = (messageId: string) =>
  ann.client.from('chat_messages').insert({
    id: messageId,
    chat_id: chatId,
    sender_id: ann.id,
    message: '',
    attachment: { path: aPath(messageId), width: 1, height: 1 },
  })
const aDayPasses = () =>
  team.sql("update private.unused_images set created_at = created_at - interval '24 hours'")
const cleanUp = () =>
  removeUnusedImages({ projectUrl: team.backend.url, secretKey: team.backend.secretKey, fetch })
const uses = (change: string) =>
  team.sql(`update private.image_usage set ${change} where owner_id = $1`, [ann.id])

describe('what one member may upload', () => {
  test.each(['files_today = 200', 'bytes_today = 2147483648'])(
    'is bounded for a day: %s',
    async (used) => {
      expect((await upload(aPath())).error).toBeNull()
      await uses(used)
      const path = aPath()
      expect((await upload(path)).error).toMatchObject({
        message: 'You have sent too many photos and files today',
      })
      expect(await exists(path)).toBe(false)
      await uses('day = day - 1')
      expect((await upload(path)).error).toBeNull()
    },
  )

  test.each(['files = 20000', 'bytes = 21474836480'])(
    'is bounded in all, until something is deleted: %s',
    async (used) => {
      const first = aPath()
      await upload(first)
      await uses(used)
      expect((await upload(aPath())).error).toMatchObject({
        message: 'You have no room left for photos and files',
      })
      await bucketOf(ann).remove([first])
      expect((await upload(aPath())).error).toBeNull()
    },
  )

  test('is counted per member, and refused uploads do not count', async () => {
    const [path, bea] = [aPath(), await team.aMember()]
    await upload(path)
    expect((await upload(path)).error).not.toBeNull()
    expect((await upload(aPath(), bea)).error).toBeNull()
    expect(
      await team.sql(
        'select files_today, files, bytes::int from private.image_usage where owner_id = $1',
        [ann.id],
      ),
    ).toEqual([{ files_today: 1, files: 1, bytes: PNG.length }])
  })

  test('does not grow by deleting: the daily quota stays used', async () => {
    const path = aPath()
    await upload(path)
    await uses('files_today = 200')
    await bucketOf(ann).remove([path])
    expect((await upload(aPath())).error).not.toBeNull()
  })

  test('is bounded for admins and content images too', async () => {
    const admin = await team.aMember({ isAdmin: true })
    const images = admin.client.storage.from('images')
    await images.upload(`${randomUUID()}.png`, PNG, { contentType: 'image/png' })
    await team.sql('update private.image_usage set files_today = 200 where owner_id = $1', [
      admin.id,
    ])
    const { error } = await images.upload(`${randomUUID()}.png`, PNG, { contentType: 'image/png' })
    expect(error).toMatchObject({ message: 'You have sent too many photos and files today' })
  })
})

describe('an image that no message uses', () => {
  beforeEach(() => team.sql('delete from private.unused_images'))

  test('is removed after a day, file included', async () => {
    const path = aPath()
    await upload(path)
    expect(await cleanUp()).toBe(0)
    expect(await exists(path)).toBe(true)
    await aDayPasses()
    expect(await cleanUp()).toBe(1)
    expect(await exists(path)).toBe(false)
    expect(await team.sql('select from storage.leftovers')).toEqual([])
    expect(await cleanUp()).toBe(0)
  })

  test('is kept once a message uses it, also after the message was edited', async () => {
    const id = randomUUID()
    await upload(aPath(id))
    expect((await send(id)).error).toBeNull()
    await aDayPasses()
    expect(await cleanUp()).toBe(0)
    expect(await exists(aPath(id))).toBe(true)
  })

  test('that a clean-up has claimed cannot be sent, but can be uploaded again', async () => {
    const id = randomUUID()
    await upload(aPath(id))
    await aDayPasses()
    await call(team.service(), 'take_unused_images')
    expect((await send(id)).error).toMatchObject({
      message: 'The image of this message was not uploaded',
    })
    await team.sql("update private.unused_images set taken_at = taken_at - interval '11 minutes'")
    expect(await cleanUp()).toBe(1)
    await upload(aPath(id))
    expect((await send(id)).error).toBeNull()
  })

  test('is kept for its message when sending failed', async () => {
    const id = randomUUID()
    await upload(aPath(id))
    const tooLong = await ann.client.from('chat_messages').insert({
      id,
      chat_id: chatId,
      sender_id: ann.id,
      message: 'x'.repeat(5000),
      attachment: { path: aPath(id), width: 1, height: 1 },
    })
    expect(tooLong.error).not.toBeNull()
    expect((await send(id)).error).toBeNull()
  })

  test('is claimed by servers only', async () => {
    expect((await call(ann, 'take_unused_images')).error?.code).toBe('42501')
    expect((await call(team.anonymous(), 'take_unused_images')).error).not.toBeNull()
  })
})
