// Images that were sent stay, out of sight where their message is deleted, and the archive knows their bytes.
import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepArchive } from '../functions/archive/keep-archive.ts'
import { recordsOf, sealAll, sendFile } from './archive-records.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
let team: Team
let maya: Person
let theo: Person
let ada: Person

beforeAll(async () => {
  team = await aTeam()
  maya = await team.aMember({ firstName: 'Maya' })
  theo = await team.aMember({ firstName: 'Theo' })
  ada = await team.aMember({ firstName: 'Ada', isAdmin: true })
})
afterAll(() => team?.close())

const images = ({ client }: Person) => client.storage.from('chat-images')
const pathOf = (messageId: string) => `${team.mandatoryChatId}/${messageId}.png`

async function sendImage(): Promise<string> {
  const id = randomUUID()
  const { error } = await images(maya).upload(pathOf(id), PNG, { contentType: 'image/png' })
  if (error) throw error
  await maya.client
    .from('chat_messages')
    .insert({
      id,
      chat_id: team.mandatoryChatId,
      sender_id: maya.id,
      message: '',
      attachment: { path: pathOf(id), width: 1, height: 1 },
    })
    .throwOnError()
  return id
}
const deleteMessage = (id: string) =>
  maya.client.from('chat_messages').update({ is_deleted: true }).eq('id', id).throwOnError()
const keep = () =>
  keepArchive({ projectUrl: team.backend.url, secretKey: team.backend.secretKey, fetch })

test('the SHA-256 and size of a sent image are archived by the server, once', async () => {
  const id = await sendImage()
  await keep()
  await keep()
  const [sent, file, ...more] = await recordsOf(team, id)
  expect(sent).toMatchObject({
    kind: 'message.sent',
    content: { attachment: { path: pathOf(id) } },
  })
  expect(file).toMatchObject({
    kind: 'message.file',
    actor_role: 'service_role',
    member_id: maya.id,
    chat_id: team.mandatoryChatId,
    content: {
      path: pathOf(id),
      sha256: createHash('sha256').update(PNG).digest('hex'),
      bytes: PNG.length,
    },
  })
  expect(more).toEqual([])
})

test('a step that fails keeps none of the others waiting, and is an error in the end', async () => {
  const id = await sendImage()
  await sealAll(team)
  const answers: Record<string, number> = {}
  const failing: typeof fetch = async (...args) => {
    const [name = ''] = /\w+$/.exec(args[0] as string) ?? []
    const answer = /take_archive_files|index_archive/.test(name)
      ? new Response('Busy', { status: 503 })
      : await fetch(...args)
    answers[name] = answer.status
    return answer
  }
  const { url: projectUrl, secretKey } = team.backend
  await expect(keepArchive({ projectUrl, secretKey, fetch: failing })).rejects.toThrow(
    'take_archive_files',
  )
  expect(answers).toEqual({
    take_archive_files: 503,
    seal_archive: 200,
    index_archive: 503,
    review_new_messages: 200,
  })
  const [sent] = await recordsOf(team, id)
  const [seal] = await team.sql(
    `select s.number <= w.seal as is_gone_through from archive.seals s, private.review_worker w
     where $1 between s.from_seq and s.to_seq`,
    [sent?.seq],
  )
  expect(seal).toEqual({ is_gone_through: true })
})

test.each([
  ['Plan.pdf', 'pdf', 'application/pdf', '%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF'],
  ['Prices.csv', 'csv', 'text/csv', 'product,rate\nIUL,6 %\n'],
])(
  'a file that is no image is archived like one, with its name: %s',
  async (name, ending, type, text) => {
    const bytes = Buffer.from(text)
    const id = await sendFile(maya, name, team.mandatoryChatId, { ending, type, bytes })
    await keep()
    const path = `${team.mandatoryChatId}/${id}.${ending}`
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(await recordsOf(team, id)).toMatchObject([
      { kind: 'message.sent', content: { attachment: { kind: 'file', path, name } } },
      {
        kind: 'message.file',
        member_id: maya.id,
        chat_id: team.mandatoryChatId,
        content: { path, sha256, bytes: bytes.length },
      },
    ])
  },
)

test('an image of a deleted message is out of sight for all, and its bytes stay', async () => {
  const id = await sendImage()
  expect((await images(theo).download(pathOf(id))).error).toBeNull()
  await deleteMessage(id)
  for (const person of [maya, theo, ada])
    expect((await images(person).download(pathOf(id))).error).not.toBeNull()
  const { data } = await images(team.service()).download(pathOf(id))
  expect(Buffer.from(await (data as Blob).arrayBuffer())).toEqual(PNG)
})

test('nobody deletes, moves or replaces an image that was sent', async () => {
  const id = await sendImage()
  const other = `${team.mandatoryChatId}/${randomUUID()}.png`
  for (const person of [maya, theo, ada, team.service()]) {
    await images(person).remove([pathOf(id)])
    await images(person).move(pathOf(id), other)
    await images(person).update(pathOf(id), Buffer.concat([PNG, PNG]), { contentType: 'image/png' })
    await images(person).upload(pathOf(id), Buffer.concat([PNG, PNG]), {
      contentType: 'image/png',
      upsert: true,
    })
  }
  const { data } = await images(team.service()).download(pathOf(id))
  expect(Buffer.from(await (data as Blob).arrayBuffer())).toEqual(PNG)
})

test('an image that was not sent can still be deleted by who uploaded it', async () => {
  const path = pathOf(randomUUID())
  await images(maya).upload(path, PNG, { contentType: 'image/png' })
  expect((await images(theo).remove([path])).data).toEqual([])
  expect((await images(maya).remove([path])).data).toHaveLength(1)
})

test('an image that is not there is archived as missing, after several tries', async () => {
  const id = await sendImage()
  await team.sql('alter table storage.objects disable trigger user')
  await team.sql('delete from storage.objects where name = $1', [pathOf(id)])
  await team.sql('alter table storage.objects enable trigger user')
  for (let tries = 0; tries < 5; tries++) {
    expect(await recordsOf(team, id)).toHaveLength(1)
    await team.sql("update archive.files set taken_at = taken_at - interval '11 minutes'")
    await keep()
  }
  expect((await recordsOf(team, id))[1]).toMatchObject({
    kind: 'message.file',
    content: { path: pathOf(id), is_missing: true },
  })
})

/** Keeps the archive so many times, as a server does within the hour, with a storage that responds like this. */
async function keepWhile(respond: () => Response, times = 5) {
  const away: typeof fetch = (...args) =>
    (args[0] as string).includes('/storage/') ? Promise.resolve().then(respond) : fetch(...args)
  const { url: projectUrl, secretKey } = team.backend
  const failures: unknown[] = []
  for (let tries = 0; tries < times; tries++) {
    await team.sql("update archive.files set taken_at = taken_at - interval '11 minutes'")
    await keepArchive({ projectUrl, secretKey, fetch: away }).catch((error: unknown) =>
      failures.push(error),
    )
  }
  return failures
}

test.each([
  ['is busy', () => new Response('SlowDown', { status: 503 })],
  ['has a fault', () => Response.json({ error: 'ENOTDIR' }, { status: 500 })],
  ['refuses the key', () => Response.json({ message: 'Invalid API key' }, { status: 401 })],
  [
    'forbids it',
    () => Response.json({ statusCode: '403', error: 'Unauthorized' }, { status: 400 }),
  ],
  [
    'is behind a proxy that does not know it',
    () => new Response('<h1>Not Found</h1>', { status: 404 }),
  ],
  [
    'has lost its bucket',
    () => Response.json({ statusCode: '404', error: 'Bucket not found' }, { status: 400 }),
  ],
  [
    'cannot be reached',
    () => {
      throw new TypeError('fetch failed')
    },
  ],
  [
    'does not respond in time',
    () => {
      throw new DOMException('The operation timed out', 'TimeoutError')
    },
  ],
])(
  'a file is not archived as missing because the store %s: it is read later',
  async (_, respond) => {
    const id = await sendImage()
    expect(await keepWhile(respond)).toHaveLength(5)
    expect(await recordsOf(team, id)).toHaveLength(1)
    await team.sql("update archive.files set taken_at = taken_at - interval '11 minutes'")
    await keep()
    expect((await recordsOf(team, id))[1]).toMatchObject({
      kind: 'message.file',
      content: { path: pathOf(id), sha256: createHash('sha256').update(PNG).digest('hex') },
    })
  },
)

const notFound = () =>
  Response.json(
    { statusCode: '404', error: 'not_found', message: 'Object not found' },
    { status: 400 },
  )

test('a store that was away counts as no try', async () => {
  const id = await sendImage()
  await keepWhile(() => new Response('SlowDown', { status: 503 }))
  expect(await keepWhile(notFound, 4)).toEqual([])
  expect(await recordsOf(team, id)).toHaveLength(1)
  await keepWhile(notFound, 1)
  expect(await recordsOf(team, id)).toHaveLength(2)
})

test('a file is archived as missing after five tries also where the storage of a hosted project says so', async () => {
  const id = await sendImage()
  expect(await keepWhile(notFound)).toEqual([])
  expect((await recordsOf(team, id))[1]).toMatchObject({
    content: { path: pathOf(id), is_missing: true },
  })
})

test.each([
  ['breaks off', new TypeError('terminated'), 1],
  // It keeps the seals waiting for a minute, so the other is read in the next run.
  ['does not come in time', new DOMException('timed out', 'TimeoutError'), 2],
])('a file that %s keeps no other one waiting', async (_, failure, runs) => {
  const unreadable = await sendImage()
  const other = await sendImage()
  const failing: typeof fetch = (...args) =>
    (args[0] as string).endsWith(pathOf(unreadable)) ? Promise.reject(failure) : fetch(...args)
  const { url: projectUrl, secretKey } = team.backend
  const results = []
  for (let run = 0; run < runs; run++)
    results.push(
      await keepArchive({ projectUrl, secretKey, fetch: failing }).catch((error: unknown) => error),
    )
  expect(results[0]).toBe(failure)
  expect(await recordsOf(team, unreadable)).toHaveLength(1)
  expect(await recordsOf(team, other)).toHaveLength(2)
})

test('files that are read again come after those never read', async () => {
  await team.sql(
    `insert into archive.files (path, message_id, sent_at, taken_at)
     select 'lost/' || n, gen_random_uuid(), now() - interval '1 day', now() - interval '1 hour' from generate_series(1, 20) n`,
  )
  const other = await sendImage()
  const failing: typeof fetch = (...args) =>
    (args[0] as string).includes('/lost/')
      ? Promise.reject(new TypeError('terminated'))
      : fetch(...args)
  const { url: projectUrl, secretKey } = team.backend
  await expect(keepArchive({ projectUrl, secretKey, fetch: failing })).rejects.toThrow('terminated')
  expect(await recordsOf(team, other)).toHaveLength(2)
  await team.sql(`delete from archive.files where path like 'lost/%'`)
})

test('a claimed hash must be one, and counts once', async () => {
  const id = await sendImage()
  const record = (sha256: string) =>
    call(team.service(), 'record_archive_file', { path: pathOf(id), sha256, bytes: 1 })
  expect((await record('abc')).error).toMatchObject({ code: '22023' })
  await keep()
  await record('0'.repeat(64))
  expect(await recordsOf(team, id)).toHaveLength(2)
})
