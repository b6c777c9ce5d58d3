// An export whose process is killed or stopped goes on where it was: in each of its stages, and with the same bytes in the end.
import { execFileSync, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest'
import {
  anExportedArchive,
  verifyExport,
  type ExportedArchive,
} from '../../../testing/an-exported-archive.ts'
import { connect } from '../../backup/database/snapshot.ts'
import { openDatabaseOf } from '../../backup/installation.ts'
import { NO_PROGRESS, type ExportState } from './export-state.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

/** Linux and macOS keep 64 KB at most between who writes and who reads. */
const MORE_THAN_A_PIPE_HOLDS = 200_000

const WITHIN = { timeout: 60_000 }

let scene: ExportedArchive
const running = new Set<ReturnType<typeof spawn>>()
/** An export that was killed between its records and its files. */
let begun: string
/** The same, taken to its end without a further stop. */
let whole: string

beforeAll(async () => {
  // Progress is for people.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  scene = await anExportedArchive()
  await scene.sendImage(randomBytes(MORE_THAN_A_PIPE_HOLDS))
  await scene.sendImage(randomBytes(MORE_THAN_A_PIPE_HOLDS))
  await scene.keep()
  await scene.team.sql(
    `insert into public.chat_messages (chat_id, sender_id, message)
     select $1, m.id, 'Filling ' || n from private.members m, generate_series(1, 10000) n
     where m.email = 'maya.ortiz@example.com'`,
    [scene.chat],
  )
  // The lock that stops the export is a transaction that writes, for Postgres: nothing is sealed meanwhile.
  await vi.waitUntil(isAllSealed, WITHIN)
  begun = await killedBeforeItsFiles()
  whole = await anEmptyFolder()
  await beginAgain(whole)
  await resumed(whole)
})
afterEach(() => running.forEach((each) => each.kill('SIGKILL')))
afterAll(async () => {
  vi.restoreAllMocks()
  await scene?.close()
})

async function anEmptyFolder() {
  const at = join(await scene.anEmptyFolder(), 'export')
  await mkdir(at)
  return at
}

function start(...args: string[]) {
  const program = inject('programs').maintenance
  return run(process.execPath, program, 'archive', 'export', ...args)
}

function run(command: string, ...args: string[]) {
  const child = spawn(command, args, {
    env: { ...process.env, DATA_DIR: scene.team.dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  running.add(child)
  return child
}

const stateOf = async (at: string) =>
  JSON.parse(await readFile(join(at, 'unfinished.json'), 'utf8')) as ExportState

async function resumed(at: string) {
  const [code] = (await once(start(at, '--resume'), 'exit')) as [number]
  expect(code).toBe(0)
}

async function isAllSealed() {
  await scene.keep()
  const rows = await scene.team.sql(
    `select from archive.records where seq > (select max(to_seq) from archive.seals) limit 1`,
  )
  return rows.length === 0
}

/** Makes the folder one in which the export was begun, and nothing written. */
async function beginAgain(at: string) {
  const state = { ...(await stateOf(begun)), ...NO_PROGRESS }
  await writeFile(join(at, 'unfinished.json'), JSON.stringify(state))
}

/** Goes on with `begun` in a folder of its own. */
async function aCopyOfBegun() {
  const at = await anEmptyFolder()
  await cp(begun, at, { recursive: true })
  return at
}

async function expectKilled(at: string, child: ReturnType<typeof spawn>) {
  expect(child.signalCode).toBe('SIGKILL')
  await expectUnfinished(at)
}

/** That it can go on, and that Postgres has noticed: until then an export that goes on is refused, as another is under way. */
async function expectUnfinished(at: string) {
  expect(await readdir(at)).toContain('unfinished.json')
  expect(await readdir(at)).not.toContain('manifest.json')
  const { id } = await stateOf(at)
  const hasEnded = async () => {
    const locks = await scene.team.sql(
      `select from pg_locks where locktype = 'advisory' and objid::bigint = hashtext($1)::bigint & 4294967295`,
      [id],
    )
    return locks.length === 0
  }
  await vi.waitUntil(hasEnded, WITHIN)
}

/** An export that has all its records and none of its files: it waits for the table that says where they are. */
async function killedBeforeItsFiles() {
  const at = await anEmptyFolder()
  let killed: ReturnType<typeof spawn> | null = null
  await heldBeforeItsFiles(at, async (child) => {
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    killed = child
  })
  if (killed) await expectKilled(at, killed)
  return at
}

async function heldBeforeItsFiles(
  at: string,
  action: (child: ReturnType<typeof start>) => Promise<void>,
) {
  const database = await openDatabaseOf(scene.team.settings)
  const client = await connect(database.url)
  try {
    await client.query('begin; lock table storage.objects')
    const child = start(at)
    const hasItsRecords = async () => {
      if (child.exitCode !== null) throw new Error(`The export ended with ${child.exitCode}`)
      return (await stateOf(at).catch(() => null))?.records.isDone
    }
    await vi.waitUntil(hasItsRecords, WITHIN)
    await action(child)
    await client.query('rollback')
  } finally {
    await client.end()
    await database.stop()
  }
}

/**
 * Goes on with an export up to the middle of one file. A pipe stands in for it: opening it waits for the export to come to
 * this file, which then cannot be written to its end, as nobody reads.
 * @param isEnough reads on while it is not, by how much was read
 */
async function killedInTheMiddleOf(
  at: string,
  name: string,
  isEnough: (bytes: number) => Promise<boolean> = async () => true,
) {
  const file = join(at, name)
  await mkdir(join(file, '..'), { recursive: true })
  execFileSync('mkfifo', [file])
  const child = start(at, '--resume')
  const exited = once(child, 'exit')
  let isReached = false
  const ended = exited.then(async () => {
    // Opened for both, a pipe waits for nobody: so an export that ended before fails the test at once.
    if (!isReached) await (await open(file, 'r+')).close()
  })
  const pipe = await open(file, 'r')
  isReached = true
  const chunks: Buffer[] = []
  let bytes = 0
  async function read() {
    const { buffer, bytesRead } = await pipe.read()
    chunks.push(buffer.subarray(0, bytesRead))
    bytes += bytesRead
    return bytesRead > 0
  }
  while (!(await isEnough(bytes)) && (await read()));
  child.kill('SIGKILL')
  await ended
  while (await read());
  await pipe.close()
  await rm(file)
  await writeFile(file, Buffer.concat(chunks))
  await expectKilled(at, child)
}

/** A smaller file may fit into the pipe, and be done before the export is killed. */
async function largestIn(folder: string) {
  const names = (await readdir(join(whole, folder))).map((name) => join(folder, name))
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(whole, name))).size))
  const largest = Math.max(...sizes)
  expect(largest).toBeGreaterThan(MORE_THAN_A_PIPE_HOLDS)
  return names[sizes.indexOf(largest)] ?? ''
}

async function bytesOf(at: string) {
  const files: Record<string, string> = {}
  for (const entry of await readdir(at, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    files[path.slice(at.length)] = createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
  }
  return files
}

async function expectAsIfNeverStopped(at: string) {
  expect(await bytesOf(at)).toEqual(await bytesOf(whole))
  expect(verifyExport(at)).toMatchObject({ status: 0 })
}

test('an export that was killed among its records goes on, and has every part in the end', async () => {
  const at = await anEmptyFolder()
  await beginAgain(at)
  // It notes how far it is now and then, and continues only as long as its table is read: up to more than was noted.
  await killedInTheMiddleOf(at, 'records.csv', async (bytes) => {
    const { count, csv } = (await stateOf(at)).records
    return count > 0 && bytes > csv
  })
  expect((await stateOf(at)).records).toMatchObject({ count: 5_000, isDone: false })
  await resumed(at)
  await expectAsIfNeverStopped(at)
  expect((await readdir(at)).toSorted()).toEqual([
    'attachments',
    'eml',
    'manifest.json',
    'records.csv',
    'records.jsonl',
    'seals.jsonl',
    'verify-export.mjs',
  ])
})

test('an export that was killed between its records and its files goes on with its files', async () => {
  const at = await aCopyOfBegun()
  expect(await stateOf(at)).toMatchObject({
    records: { isDone: true },
    attachments: NO_PROGRESS.attachments,
  })
  await resumed(at)
  await expectAsIfNeverStopped(at)
})

test('an export that was killed in the middle of an attachment, a mail and its seals ends with the same bytes', async () => {
  const at = await aCopyOfBegun()
  for (const name of [
    await largestIn('attachments'),
    await largestIn(join('eml', scene.chat)),
    'seals.jsonl',
  ])
    await killedInTheMiddleOf(at, `${name}.partial`)
  await resumed(at)
  await expectAsIfNeverStopped(at)
  // Recorded once, however often it was taken up.
  const made = await scene.team.sql(
    `select from archive.records where kind = 'export.made' and content ->> 'id' = $1`,
    [(await stateOf(begun)).id],
  )
  expect(made).toHaveLength(1)
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'an export that is stopped by %s ends as shells expect and says with which command it goes on, also in a folder with a space and a quote',
  async (signal) => {
    const at = join(await scene.anEmptyFolder(), "Maya's export")
    let command = ''
    await heldBeforeItsFiles(at, async (child) => {
      const said = text(child.stderr)
      const closed = once(child, 'close')
      child.kill(signal)
      expect(await closed).toEqual([128 + constants.signals[signal], null])
      const sentence = /^Stopped before the end\. Go on with: npm run archive -- (.+)$/m.exec(
        await said,
      )
      command = sentence?.[1] ?? ''
    })
    await expectUnfinished(at)
    const program = inject('programs').maintenance
    const resumed = run('sh', '-c', `exec "${process.execPath}" "${program}" archive ${command}`)
    expect(await once(resumed, 'exit')).toEqual([0, null])
    expect(verifyExport(at)).toMatchObject({ status: 0 })
  },
)

test('an export that is under way is not touched by another that wants to go on with it', async () => {
  const at = await anEmptyFolder()
  await heldBeforeItsFiles(at, async (child) => {
    const { ino } = await stat(join(at, 'unfinished.json'))
    const other = start(at, '--resume')
    const [said, closed] = await Promise.all([text(other.stderr), once(other, 'close')])
    expect(closed).toEqual([2, null])
    expect(said).toContain('This export is under way already.')
    expect((await stat(join(at, 'unfinished.json'))).ino).toBe(ino)
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  })
})
