// An export whose process is killed goes on where it was: in each of its stages, and with the same bytes in the end.
import { execFileSync, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { cp, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest'
import {
  anExportedArchive,
  verifyExport,
  type ExportedArchive,
} from '../../../testing/an-exported-archive.ts'
import { NO_PROGRESS, type ExportState } from './export-state.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

/** Linux and macOS keep 64 KB at most between who writes and who reads. */
const MORE_THAN_A_PIPE_HOLDS = 200_000

let scene: ExportedArchive
const running = new Set<ReturnType<typeof spawn>>()
/** An export that was killed while it wrote its records. */
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
  begun = await anEmptyFolder()
  await killedOnceItWrites(begun, /^records\.jsonl$/, start(begun))
  whole = await anEmptyFolder()
  const fromScratch = { ...(await stateOf(begun)), ...NO_PROGRESS }
  await writeFile(join(whole, 'unfinished.json'), JSON.stringify(fromScratch))
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
  const child = spawn(process.execPath, [program, 'archive', 'export', ...args], {
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

/** Goes on with `begun` in a folder of its own. */
async function aCopyOfBegun() {
  const at = await anEmptyFolder()
  await cp(begun, at, { recursive: true })
  return at
}

async function expectKilled(at: string, child: ReturnType<typeof spawn>) {
  expect([child.signalCode, await readdir(at)]).toEqual([
    'SIGKILL',
    expect.arrayContaining(['unfinished.json']),
  ])
  expect(await readdir(at)).not.toContain('manifest.json')
}

async function killedOnceItWrites(at: string, wanted: RegExp, child: ReturnType<typeof spawn>) {
  const watcher = watch(at, { recursive: true })
  watcher.on('change', (_, name) => {
    if (wanted.test(String(name).split('/').at(-1) ?? '')) child.kill('SIGKILL')
  })
  await once(child, 'exit')
  watcher.close()
  await expectKilled(at, child)
}

/**
 * Goes on with an export up to the middle of one file. A pipe stands in for it: opening it waits for the export to come to
 * this file, which then cannot be written to its end, as nobody reads.
 */
async function killedInTheMiddleOf(at: string, name: string) {
  const partial = join(at, `${name}.partial`)
  await mkdir(join(partial, '..'), { recursive: true })
  execFileSync('mkfifo', [partial])
  const child = start(at, '--resume')
  const exited = once(child, 'exit')
  let isReached = false
  const ended = exited.then(async () => {
    // Opened for both, a pipe waits for nobody: so an export that ended before fails the test at once.
    if (!isReached) await (await open(partial, 'r+')).close()
  })
  const pipe = await open(partial, 'r')
  isReached = true
  child.kill('SIGKILL')
  await ended
  await expectKilled(at, child)
  const { buffer, bytesRead } = await pipe.read()
  await pipe.close()
  await rm(partial)
  await writeFile(partial, buffer.subarray(0, bytesRead))
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
  const at = await aCopyOfBegun()
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

test('an export that was killed in the middle of an attachment, a mail and its seals ends with the same bytes', async () => {
  const at = await aCopyOfBegun()
  const [, , last = ''] = (await readdir(join(whole, 'attachments'))).toSorted()
  const days = (await readdir(join(whole, 'eml', scene.chat))).toSorted()
  for (const name of [
    join('attachments', last),
    join('eml', scene.chat, days.at(-1) ?? ''),
    'seals.jsonl',
  ])
    await killedInTheMiddleOf(at, name)
  await resumed(at)
  await expectAsIfNeverStopped(at)
  // Recorded once, however often it was taken up.
  const made = await scene.team.sql(
    `select from archive.records where kind = 'export.made' and content ->> 'id' = $1`,
    [(await stateOf(begun)).id],
  )
  expect(made).toHaveLength(1)
})
