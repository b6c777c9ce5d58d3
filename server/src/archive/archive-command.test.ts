// What `npm run archive -- verify` and `npm run archive -- head` print.
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { BackupError } from '../backup/archive/errors.ts'
import { connect } from '../backup/database/snapshot.ts'
import { openDatabaseOf } from '../backup/installation.ts'
import { anExportedArchive, type ExportedArchive } from '../../testing/an-exported-archive.ts'
import { archiveCommand, INTACT } from './archive-command.ts'
import { HEADS_FILE } from './heads-file.ts'

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
  const { exitCode, lines } = await scene.printed('verify')
  expect(exitCode).toBe(INTACT)
  // The server may have noted one or not.
  expect(lines.filter((line) => !line.startsWith('No noted head'))).toEqual([
    `The archive is intact: ${count(now?.records)} records under ${count(now?.seals)} seals, ` +
      `${count(now?.messages)} messages in the chats and 1 file.`,
    `It ends with seal ${now?.head?.replace(' ', ': ')}`,
  ])
  expect(await scene.printed('head')).toEqual({ exitCode: INTACT, lines: [now?.head] })
})

test('verifying compares with the heads that were noted, and says if there were none, or lines that are no heads', async () => {
  const { DATA_DIR } = scene.team.settings
  // No server notes any there meanwhile.
  const folder = await scene.anEmptyFolder()
  await symlink(join(DATA_DIR, 'storage'), join(folder, 'storage'))
  const saidOfHeads = async (...args: string[]) =>
    (await scene.printedElsewhere({ DATA_DIR: folder }, 'verify', ...args)).lines.filter((line) =>
      /head/.test(line),
    )
  const [number, hash = ''] = (await scene.printed('head')).lines[0]?.split(' ') ?? []
  const none: unknown = expect.stringMatching(/^No noted head was compared: there is none/)
  expect(await saidOfHeads()).toEqual([none])
  expect(await saidOfHeads('--head', hash)).toEqual([])
  const broken = 'archive-heads.txt has 1 line without a head: compared with nothing.'
  await writeFile(join(folder, HEADS_FILE), '2026-11-21 9')
  expect(await saidOfHeads()).toEqual([broken, none])
  await writeFile(join(folder, HEADS_FILE), `2026-11-20 ${number} ${hash}\n2026-11-21 9`)
  expect(await saidOfHeads()).toEqual([broken])
})

test('verifying says every five seconds on standard error how far it is', async () => {
  const said: string[] = []
  const write = vi.mocked(process.stderr.write)
  write.mockImplementation((line) => said.push(String(line)) > 0)
  const query = GuardedClient.prototype.query as (...args: unknown[]) => unknown
  const verifying = new Set<unknown>()
  // Five seconds pass before it reads the records, before it reads the files, and before it ends.
  const slowed = vi.spyOn(GuardedClient.prototype, 'query').mockImplementation(function (
    this: GuardedClient,
    ...args: unknown[]
  ) {
    const text = String(args[0])
    if (text.startsWith('declare records ')) verifying.add(this)
    if (verifying.has(this) && /^(declare (records|archived_files) |rollback$)/.test(text))
      vi.advanceTimersByTime(5_000)
    return query.apply(this, args)
  })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  try {
    await scene.printed('verify')
  } finally {
    vi.useRealTimers()
    slowed.mockRestore()
    write.mockReturnValue(true)
  }
  expect(said).toEqual([
    '5 s: 0 records, 0 files\n',
    expect.stringMatching(/^10 s: [1-9][\d,]* records, 0 files\n$/),
    expect.stringMatching(/^15 s: [1-9][\d,]* records, 1 file\n$/),
  ])
})

test.each([
  [['verify', '--haed', 'ab'], "Unknown option '--haed'.\nUse: npm run archive -- verify"],
  [['verify', '--head', 'ab'], 'A head has 64 digits from 0 to f.\nUse: npm run archive'],
  [['check'], 'Use: npm run archive'],
  [
    ['head', '--head', 'ab'.repeat(32)],
    'To look for a head in the chain, verify with --head.\nUse: npm run archive',
  ],
])(
  'what is no command is refused with what is wrong and how it is used: %s',
  async (args, message) => {
    await expect(scene.archive(...args)).rejects.toThrow(message)
  },
)

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

test('a command that is stopped while it opens the database ends as soon as that is open', async () => {
  const { settings } = scene.team
  const signal = AbortSignal.abort(new BackupError('Stopped before the end.'))
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  await expect(archiveCommand(['verify'], { settings, signal, print })).rejects.toThrow(
    'Stopped before the end.',
  )
  expect(lines).toEqual([])
})
