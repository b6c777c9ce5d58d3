// The function `archive` under the runtime it has on hosted Supabase: the real Deno, talking to the Data API over HTTP.
import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from 'backend/postgres/free-port.ts'
import { recordsOf, send } from './archive-records.ts'
import { serveWithDeno } from './deno.ts'
import { aTeam, type Person, type Team } from './team.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
type ArchiveResponse = {
  sealed: number
  files: number
  pruned: number
  head: { seal: number; hash: string } | null
}

let team: Team
let maya: Person
let served: Awaited<ReturnType<typeof serveWithDeno>>

beforeAll(async () => {
  team = await aTeam()
  maya = await team.aMember({ firstName: 'Maya' })
  served = await serveWithDeno('archive', await freePort(), {
    SUPABASE_URL: team.backend.url,
    SUPABASE_SERVICE_ROLE_KEY: team.backend.secretKey,
  })
}, 60_000)
afterAll(async () => {
  await served?.stop()
  await team?.close()
})

const callFunction = (apikey: string, body = '{}') =>
  fetch(served.address, { method: 'POST', headers: { apikey }, body })

async function sendImage(): Promise<string> {
  const id = randomUUID()
  const path = `${team.mandatoryChatId}/${id}.png`
  const { error } = await maya.client.storage
    .from('chat-images')
    .upload(path, PNG, { contentType: 'image/png' })
  if (error) throw error
  await maya.client
    .from('chat_messages')
    .insert({
      id,
      chat_id: team.mandatoryChatId,
      sender_id: maya.id,
      message: '',
      attachment: { path, width: 1, height: 1 },
    })
    .throwOnError()
  return id
}

test('a call seals what was said, hashes what was sent and responds with the head of the chain', async () => {
  await send(maya, 'Signed!', team.mandatoryChatId)
  const imageId = await sendImage()
  const responses: ArchiveResponse[] = []
  // Another test's transaction may delay it.
  await expect
    .poll(async () => {
      const response = await callFunction(team.backend.secretKey)
      expect(response.status).toBe(200)
      responses.push((await response.json()) as ArchiveResponse)
      return team.sql(
        'select seq from archive.records where seq > (select coalesce(max(to_seq), 0) from archive.seals)',
      )
    })
    .toEqual([])
  const sum = (count: 'sealed' | 'files' | 'pruned') =>
    responses.reduce((total, response) => total + response[count], 0)
  expect({ files: sum('files'), pruned: sum('pruned') }).toEqual({ files: 1, pruned: 0 })
  expect(sum('sealed')).toBeGreaterThan(2)
  expect((await recordsOf(team, imageId)).at(-1)).toMatchObject({
    kind: 'message.file',
    content: { sha256: createHash('sha256').update(PNG).digest('hex'), bytes: PNG.length },
  })
  const again = (await (await callFunction(team.backend.secretKey)).json()) as ArchiveResponse
  expect(again).toMatchObject({ sealed: 0, files: 0, head: responses.at(-1)?.head })
})

test('a call that is to prune says how many records went', async () => {
  const response = await callFunction(team.backend.secretKey, '{"prune": true}')
  expect(await response.json()).toMatchObject({ pruned: 0 })
})

test('callers without the secret key are refused', async () => {
  for (const key of ['', 'wrong', team.backend.publishableKey])
    expect((await callFunction(key)).status).toBe(401)
})

test('a project that does not respond is an error, after which the schedule tries again', async () => {
  const lost = await serveWithDeno('archive', await freePort(), {
    SUPABASE_URL: `http://127.0.0.1:${await freePort()}`,
    SUPABASE_SERVICE_ROLE_KEY: 'a key',
  })
  try {
    const response = await fetch(lost.address, { method: 'POST', headers: { apikey: 'a key' } })
    expect(response.status).toBe(500)
  } finally {
    await lost.stop()
  }
})
