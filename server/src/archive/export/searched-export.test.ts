// What a supervisor's search found, exported by its number; and the same criteria as arguments.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from '../../backup/database/snapshot.ts'
import { openDatabaseOf } from '../../backup/installation.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  anExportedArchive,
  recordsOf,
  verifyExport,
  type ExportedArchive,
} from '../../../testing/an-exported-archive.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

const SUPERVISOR = 'ben.castellano@example.com'
type Found = { seq: number; record_kind: string; subject_id: string | null; search_seq: number }

let scene: ExportedArchive
let token: string
/** The time between what was said before and after. */
let middle: string

beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  scene = await anExportedArchive()
  const { team, send, keep } = scene
  await team.sql('update private.members set can_supervise = true where email = $1', [SUPERVISOR])
  token = (await team.signIn(SUPERVISOR)).access_token
  const [now] = await team.sql<{ now: string }>('select archive.utc(clock_timestamp()) as now')
  middle = now?.now ?? ''
  for (let number = 0; number < 60; number += 1) await send(`Umbrella policy ${number}`)
  const removed = await send('Umbrella that never leaks')
  await keep()
  await team.sql(
    `update public.chat_messages set is_deleted = true, deleted_reason = 'Promise' where id = $1`,
    [removed],
  )
  await keep()
})
afterAll(async () => {
  vi.restoreAllMocks()
  await scene?.close()
})

/** All pages, as the screen reads them. */
async function search(criteria: object): Promise<Found[]> {
  const found: Found[] = []
  for (;;) {
    const response = await scene.team.send('/rest/v1/rpc/search_archive', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'Examination', before_seq: found.at(-1)?.seq, ...criteria }),
      token,
    })
    if (!response.ok) throw new Error(await response.text())
    const page = (await response.json()) as Found[]
    found.push(...page)
    if (page.length < 50) return found
  }
}
async function exported(...args: string[]) {
  const at = await scene.exported(...args, '--format', 'jsonl')
  expect(verifyExport(at).status).toBe(0)
  return recordsOf(at)
}
const seqsOf = (records: { seq: number }[]) =>
  records.map(({ seq }) => Number(seq)).toSorted((a, b) => a - b)

describe('the export of a search', () => {
  test.each([
    ['words', () => ({ words: 'umbrella' })],
    ['a person, by a part of the name', () => ({ person: 'maya ort' })],
    ['a chat, by a part of its name', () => ({ chat: 'rally', person: 'ortiz' })],
    ['a time', () => ({ from_time: middle, words: 'umbrella policy' })],
    ['a time before', () => ({ to_time: middle, person: 'maya' })],
    ['all of it', () => ({})],
    ['a word with a space after it, which is whole', () => ({ words: 'umbrella ' })],
  ])('by %s has what it found, from the first page to the last', async (_, criteria) => {
    const found = await search(criteria())
    expect(found.length).toBeGreaterThan(0)
    const number = String(found[0]?.search_seq)
    const records = await exported('--search', number)
    const messages = new Set(found.map(({ subject_id: id }) => id))
    const more = records.filter(({ seq }) => !seqsOf(found).includes(Number(seq)))
    expect(seqsOf(records)).toEqual(expect.arrayContaining(seqsOf(found)))
    // Versions and files of messages that were found.
    for (const { kind, subject_id: id } of more)
      expect([kind.split('.')[0], messages.has(id)]).toEqual(['message', true])
  })

  test('by a kind has the messages with all their versions, and its reason', async () => {
    const found = await search({ kind: 'message.removed', words: 'umbrella' })
    expect(found).toHaveLength(1)
    const number = String(found[0]?.search_seq)
    const at = await scene.exported('--search', number)
    const records = await recordsOf(at)
    expect(records.map(({ kind }) => kind)).toEqual(['message.sent', 'message.removed'])
    expect(records[0]?.content.text).toBe('Umbrella that never leaks')
    const manifest = JSON.parse(await readFile(join(at, 'manifest.json'), 'utf8')) as object
    expect(manifest).toMatchObject({
      reason: 'Examination',
      is_everything: false,
      criteria: { search: number, kind: 'message.removed', words: 'umbrella', members: null },
    })
    expect(verifyExport(at).status).toBe(0)
  })

  test('has nothing that was said later, and nothing about supervision', async () => {
    const [first] = await search({})
    await scene.send('Said after the search')
    await scene.keep()
    const records = await exported('--search', String(first?.search_seq))
    expect(records.map(({ content }) => content.text)).not.toContain('Said after the search')
    expect(records.filter(({ kind }) => /^(search|export|supervisor|audit)\./.test(kind))).toEqual(
      [],
    )
  })

  test('means whom its names meant when it was made', async () => {
    const lastSearch = async () => {
      const [made] = await scene.team.sql<{ seq: string }>(
        `select max(seq) as seq from archive.records where kind = 'search.made'`,
      )
      return made?.seq ?? ''
    }
    expect(await search({ person: 'Zebulon' })).toEqual([])
    const nobody = await lastSearch()
    expect((await search({ person: 'maya', words: 'umbrella' })).length).toBeGreaterThan(50)
    const maya = await lastSearch()
    await scene.team.sql(
      `update private.members set first_name = 'Zebulon' where email like 'maya%'`,
    )
    await scene.keep()
    expect(await exported('--search', nobody)).toEqual([])
    expect((await exported('--search', maya)).length).toBeGreaterThan(50)
  })

  test.each([
    [['--search', '1'], 'No search has the number 1.'],
    [['--search', 'x'], 'No search has the number x.'],
    [['--search', '1', '--words', 'x'], 'has its criteria already'],
  ])('that cannot be meant is refused: %s', async (args, message) => {
    await expect(scene.exported(...args)).rejects.toThrow(message)
  })
})

describe('of what is not sealed yet, an export names', () => {
  const NOT_SEALED = 'Not sealed when it began'
  /** What an export says that begins while nothing is sealed. */
  async function saidOf(args: () => Promise<string[]>, meanwhile: () => Promise<unknown>) {
    await scene.keep()
    const database = await openDatabaseOf(scene.team.settings)
    const client = await connect(database.url)
    const said = vi.mocked(process.stderr.write).mock.calls
    try {
      // Nothing is sealed while a transaction is under way that has recorded something.
      await client.query('begin')
      await client.query(`select archive.record('search.made', '{}')`)
      await meanwhile()
      const given = await args()
      const before = said.length
      await scene.exported(...given)
      return said.slice(before).map(([line]) => String(line).trim())
    } finally {
      await client.end()
      await database.stop()
    }
  }
  const theSearch = async (criteria: object) => {
    const [found] = await search(criteria)
    return ['--search', String(found?.search_seq)]
  }
  const ONE_NOT_SEALED = `${NOT_SEALED}, and therefore not in it: 1 record.`

  test('nothing that the search would not have found', async () => {
    const args = await theSearch({ words: 'umbrella policy 7' })
    const said = await saidOf(
      () => Promise.resolve(args),
      async () => {
        await scene.send('Umbrella policy 7, said after the search')
        await scene.send('Something else')
      },
    )
    expect(said).not.toContainEqual(expect.stringContaining(NOT_SEALED))
    expect(said).toContainEqual(expect.stringMatching(/^1 record\. The SHA-256/))
  })

  test('what was said before the search and matches it', async () => {
    const said = await saidOf(
      () => theSearch({ words: 'umbrella' }),
      async () => {
        await scene.send('Umbrella at the last minute')
        await scene.send('Something else')
      },
    )
    expect(said).toContain(ONE_NOT_SEALED)
  })

  test('what became of a message that was found', async () => {
    const id = await scene.send('Parasol')
    await scene.keep()
    const args = await theSearch({ words: 'parasol' })
    const said = await saidOf(
      () => Promise.resolve(args),
      () =>
        scene.team.sql(
          `update public.chat_messages set is_deleted = true, deleted_reason = 'Promise' where id = $1`,
          [id],
        ),
    )
    expect(said).toContain(ONE_NOT_SEALED)
  })

  test('what matches other criteria', async () => {
    const meanwhile = () => scene.send('Canopy')
    const said = (...args: string[]) => saidOf(() => Promise.resolve(args), meanwhile)
    expect(await said('--words', 'canopy')).toContain(ONE_NOT_SEALED)
    expect(await said('--words', 'umbrella')).not.toContainEqual(
      expect.stringContaining(NOT_SEALED),
    )
  })

  test('everything where it has no criteria', async () => {
    const said = await saidOf(
      () => Promise.resolve([]),
      () => scene.send('Canopy'),
    )
    expect(said).toContainEqual(expect.stringMatching(`^${NOT_SEALED}.*: \\d+ records\\.$`))
  })
})

describe('the same criteria as arguments', () => {
  const texts = async (...args: string[]) =>
    (await exported(...args)).map(({ content }) => content.text)

  test('a part of a name, a part of a chat’s name, and a kind', async () => {
    const args = ['--member', 'maya', '--chat', 'rally', '--kind', 'message.removed']
    const records = await exported(...args, '--words', 'umbrella')
    expect(records.map(({ kind }) => kind)).toEqual(['message.sent', 'message.removed'])
  })

  test.each([
    [['--kind', 'message.unsaid'], 'no record of the kind message.unsaid'],
    [['--from', '2026-02-30'], '--from takes a day'],
  ])('that nothing can have are refused, and leave no folder: %s', async (args, message) => {
    const at = join(await scene.anEmptyFolder(), 'export')
    await expect(scene.archive('export', at, ...args)).rejects.toThrow(message)
    expect(existsSync(at)).toBe(false)
  })

  test('times: the export ends just before the last one', async () => {
    expect(await texts('--from', middle, '--chat', scene.chat)).toContain('Umbrella policy 7')
    const today = new Date().toISOString().slice(0, 10)
    expect(await texts('--from', middle, '--to', today)).toContain('Umbrella policy 7')
    expect(await texts('--to', middle, '--chat', scene.chat)).not.toContain('Umbrella policy 7')
  })

  test('a name that too many have is refused', async () => {
    await scene.team.sql(
      `insert into public.chats (name, type, created_by)
       select 'Crew ' || n, 'group', m.id from generate_series(1, 51) n, private.members m where m.email = $1`,
      [SUPERVISOR],
    )
    await expect(scene.exported('--chat', 'crew')).rejects.toThrow(
      'More than 50 chats are called this: crew.',
    )
  })
})
