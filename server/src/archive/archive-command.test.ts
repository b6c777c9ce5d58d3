// What `npm run archive -- verify` and `npm run archive -- head` print.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connect } from '../backup/database/snapshot.ts'
import { openDatabaseOf } from '../backup/installation.ts'
import { anExportedArchive, type ExportedArchive } from '../../testing/an-exported-archive.ts'
import { INTACT } from './archive-command.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let scene: ExportedArchive

beforeAll(async () => {
  // Progress is for people.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  scene = await anExportedArchive()
  await scene.keep()
})
afterAll(async () => {
  vi.restoreAllMocks()
  await scene?.close()
})

/** Nothing is sealed while a transaction is under way that has recorded something. */
async function withoutSealing(action: () => Promise<unknown>) {
  const database = await openDatabaseOf(scene.team.settings)
  const client = await connect(database.url)
  try {
    await client.query('begin')
    await client.query(`select archive.record('search.made', '{}')`)
    await action()
  } finally {
    await client.end()
    await database.stop()
  }
}

test('verifying an intact archive says how much it covers and with which seal it ends, which head prints too', async () => {
  const [now] = await scene.team.sql<Record<string, string>>(
    `select (select count(*) from archive.records)::text as records,
       (select count(*) from archive.seals)::text as seals,
       (select count(*) from public.chat_messages)::text as messages,
       (select number || ' ' || encode(hash, 'hex') from archive.seals order by number desc limit 1) as head`,
  )
  const count = (number = '') => Number(number).toLocaleString('en-US')
  expect(await scene.printed('verify')).toEqual({
    exitCode: INTACT,
    lines: [
      `The archive is intact: ${count(now?.records)} records under ${count(now?.seals)} seals, ` +
        `${count(now?.messages)} messages in the chats and 1 file.`,
      `It ends with seal ${now?.head?.replace(' ', ': ')}`,
    ],
  })
  expect(await scene.printed('head')).toEqual({ exitCode: INTACT, lines: [now?.head] })
})

test('verifying counts what is not sealed yet, and asks whether the server runs once that is too old', async () => {
  const unsealedLine = async () => (await scene.printed('verify')).lines[1]
  await withoutSealing(async () => {
    const id = await scene.send('Just now')
    expect(await unsealedLine()).toMatch(/^1 record not sealed yet, the oldest of 20\S+\.$/)
    await scene.team.sql(
      `set session_replication_role = replica;
       update archive.records set recorded_at = recorded_at - interval '16 minutes'
       where subject_id = '${id}'`,
    )
    expect(await unsealedLine()).toMatch(
      /^1 record not sealed yet, .*\. Does the server run\? It seals every minute\.$/,
    )
  })
})
