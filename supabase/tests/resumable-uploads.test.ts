// A member's upload ends with the member's rights, whatever part of it has arrived.
import { randomUUID } from 'node:crypto'
import { createUpload, sendPart, tusRequest, type TusSender } from 'backend/testing/tus-client.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aGroup } from './archive-records.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const HALF = 8
let team: Team
let ada: Person
let maya: Person
let ann: Person
let session: string
let chatId: string
let name: string

beforeAll(async () => {
  team = await aTeam()
  ada = await team.aMember({ isAdmin: true })
  maya = await team.aMember()
})
afterAll(() => team?.close())
beforeEach(async () => {
  ann = await team.aMember()
  session = await aSession()
  chatId = await aGroup(maya, [ann])
  name = `${chatId}/${randomUUID()}.png`
})

async function aSession(): Promise<string> {
  const id = randomUUID()
  await team.sql(
    'insert into auth.sessions (id, user_id, created_at, updated_at) values ($1, $2, now(), now())',
    [id, ann.id],
  )
  return id
}

async function aDevice(sessionId = session): Promise<TusSender> {
  const { tokens, clock, url, publishableKey: apikey } = team.backend
  const iat = Math.floor(clock.now() / 1000)
  const token = await tokens.sign({
    ...{ sub: ann.id, role: 'authenticated', session_id: sessionId },
    ...{ iat, exp: iat + 3600 },
  })
  return { url, apikey, token }
}

const setStatus = (status: string) =>
  call(ada, 'set_member_status', { member_id: ann.id, status, reason: 'x' })
const create = (by: TusSender, length = PNG.length) =>
  createUpload(by, length, { bucketName: 'chat-images', objectName: name })
const part = (from: number, to: number) => new Uint8Array(PNG.subarray(from, to))
const isThere = async () =>
  (await team.service().client.storage.from('chat-images').exists(name)).data

const ENDINGS: [how: string, end: () => Promise<unknown>][] = [
  ['is suspended', () => setStatus('suspended')],
  ['is removed', () => setStatus('removed')],
  ['is signed out', () => team.sql('delete from auth.sessions where id = $1', [session])],
  [
    'leaves the chat',
    () =>
      team.sql('delete from private.chat_participants where chat_id = $1 and user_id = $2', [
        chatId,
        ann.id,
      ]),
  ],
  ['is deleted', () => team.sql('delete from auth.users where id = $1', [ann.id])],
]

test.each(ENDINGS)(
  'a member who %s can neither begin nor go on with an upload',
  async (_how, end) => {
    const device = await aDevice()
    const location = (await create(device)).headers.get('location') ?? ''
    expect((await sendPart(device, location, 0, part(0, HALF))).status).toBe(204)
    await end()
    const responses = [
      await tusRequest(device, 'HEAD', location),
      await sendPart(device, location, HALF, part(HALF, PNG.length)),
      await create(device),
    ]
    for (const { status } of responses) expect([401, 403]).toContain(status)
    expect(await isThere()).toBe(false)
  },
)

test('a member who is suspended while the last part arrives has no file', async () => {
  const device = await aDevice()
  const location = (await create(device)).headers.get('location') ?? ''
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(part(0, HALF))
      await new Promise((resolve) => setTimeout(resolve, 300))
      await setStatus('suspended')
      controller.enqueue(part(HALF, PNG.length))
      controller.close()
    },
  })
  expect([401, 403]).toContain((await sendPart(device, location, 0, body)).status)
  expect(await isThere()).toBe(false)
})

test('signed out on one device, the member goes on at another', async () => {
  const location = (await create(await aDevice())).headers.get('location') ?? ''
  const device = await aDevice()
  await sendPart(device, location, 0, part(0, HALF))
  await team.sql('delete from auth.sessions where id = $1', [session])
  const other = await aDevice(await aSession())
  const response = await sendPart(other, location, HALF, part(HALF, PNG.length))
  expect(response.headers.get('tus-complete')).toBe('1')
  expect(await isThere()).toBe(true)
})

test('the quota of a member is asked before the first byte, with the announced length', async () => {
  await team.sql(
    `insert into private.image_usage (bucket_id, owner_id, day, files_today, bytes_today, files, bytes)
     values ('chat-images', $1, (now() at time zone 'utc')::date, 1, (select bytes_per_day from private.image_quota()) - 15, 1, 1)`,
    [ann.id],
  )
  expect(await create(await aDevice())).toMatchObject({
    status: 403,
    message: 'You have sent too many photos and files today',
  })
  expect((await create(await aDevice(), PNG.length - 1)).status).toBe(201)
})
