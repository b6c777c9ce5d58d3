// Verifying the archive, or an export of it, tells expired records that were pruned from records that somebody removed.
import { pruneArchive } from 'supabase-project/functions/archive/keep-archive.ts'
import { yearsAgo } from 'supabase-project/tests/archive-records.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  anExportedArchive,
  recordsOf,
  verifyExport,
  type ExportedArchive,
} from '../../testing/an-exported-archive.ts'
import { INTACT, NOT_INTACT } from './archive-command.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let scene: ExportedArchive
let young: number

const past = (years: number, action: () => Promise<unknown>) =>
  yearsAgo(scene.team.sql, scene.keep, years, action)

async function send(text: string, years: number) {
  const id = await scene.send(text)
  await scene.team.sql(
    `set session_replication_role = replica;
     update public.chat_messages set sent_at = now() - interval '${years} years' where id = '${id}'`,
  )
}

/** The number of the record that a message was sent. */
async function seqOf(text: string): Promise<number | undefined> {
  const [row] = await scene.team.sql<{ seq: number }>(
    `select seq::int from archive.records where kind = 'message.sent' and content ->> 'text' = $1`,
    [text],
  )
  return row?.seq
}

beforeAll(async () => {
  // Progress is for people.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  scene = await anExportedArchive()
  const { team } = scene
  await past(7, () => send('Seven years old, alone under its seal', 7))
  await past(7, async () => {
    await send('Seven years old', 7)
    // Is kept as long as she is on the team.
    await team.sql(`update private.members set last_name = 'Oak' where first_name = 'Maya'`)
  })
  await past(5, () => send('Five years old', 5))
  young = (await seqOf('Five years old')) ?? 0
  await pruneArchive({ projectUrl: team.url, secretKey: team.secretKey, fetch })
})
afterAll(async () => {
  vi.restoreAllMocks()
  await scene?.close()
})

test('an archive and an export are intact after expired records were pruned', async () => {
  expect(await seqOf('Seven years old')).toBeUndefined()
  expect(await scene.archive('verify')).toBe(INTACT)
  const at = await scene.exported('--reason', 'Examination 2026')
  const { status, lines } = verifyExport(at)
  expect([status, lines[0]]).toEqual([0, expect.stringMatching(/^The export is as it was made/)])
  const exported = await recordsOf(at)
  const texts = exported.map(({ content }) => content.text)
  expect(texts).toContain('Five years old')
  expect(texts.join()).not.toContain('Seven years old')
})

test('a record that was removed, and declared as pruned before its six years were over, is named', async () => {
  await scene.team.sql(
    `set session_replication_role = replica;
     delete from archive.records where seq = ${young};
     reset session_replication_role;
     select archive.record('archive.pruned', json_build_object('count', 1, 'records', '{[${young},${young + 1})}'))`,
  )
  await scene.keep()
  expect(await scene.archive('verify')).toBe(NOT_INTACT)
  const { status, lines } = verifyExport(await scene.exported('--reason', 'Examination 2026'))
  expect(status).toBe(1)
  expect(lines.join('\n')).toContain(`record ${young} is missing`)
})

test('a shorter retention allows it from the day it was set', async () => {
  await scene.team.sql(`update archive.retention set years = 4 where category = 'message'`)
  await scene.keep()
  expect(await scene.archive('verify')).toBe(NOT_INTACT)
  const { team } = scene
  await past(5, () => send('Also five years old', 5))
  await pruneArchive({ projectUrl: team.url, secretKey: team.secretKey, fetch })
  expect(await seqOf('Also five years old')).toBeUndefined()
  const { lines } = verifyExport(await scene.exported('--reason', 'Examination 2026'))
  expect(lines.filter((line) => line.includes('is missing'))).toHaveLength(1)
})
