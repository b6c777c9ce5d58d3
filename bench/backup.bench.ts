// Backup and restore at size, while members chat: a million messages, archived and sealed, and 5 GB of images. Then the restored
// installation is compared with the one that was saved. The programs are the ones that are shipped; chat, server, Postgres and
// backup share one machine. Prints tables for README.md. MESSAGES, FILES_MB and CALM_S for another size; BACKUPS is a folder to back up into;
// BACKUP_PASSPHRASE encrypts.
import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { startChat, type Chat } from './backup-chat.ts'
import { addImages, addMembers, addMessages, chatId, keepArchive } from './backup-fill.ts'
import { connectTo } from './monday-team.ts'
import { peakKb, proportionalKb, usageOf } from './process-usage.ts'
import { startShippedServer } from './shipped-server.ts'

const MESSAGES = Number(process.env.MESSAGES ?? 1_000_000)
const FILES_MB = Number(process.env.FILES_MB ?? 5_000)
const CALM_S = Number(process.env.CALM_S ?? 90)
const EVERY = 50
const PASSWORD = 'rally-demo'
const SAMPLE_MS = 500
const COMPARED_FILES = 200
const TABLES = [
  ...[
    'private.members',
    'auth.users',
    'public.chats',
    'private.chat_participants',
    'storage.objects',
  ],
  ...['archive.files', 'archive.search_entries'],
]

const folder = await mkdtemp(join(tmpdir(), 'backup-bench-'))
/** Where the backup goes: a folder on another disk than the database, for instance. */
const backupFolder = await mkdtemp(join(process.env.BACKUPS ?? folder, 'backups-'))
const rows: [what: string, measured: string, goal?: string][] = []
let hasFailed = false
let running = null as { stop(): Promise<void> } | null
try {
  await measure()
} finally {
  await running?.stop()
  for (const each of [folder, backupFolder]) await rm(each, { recursive: true, force: true })
}
console.log(
  `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${text(MESSAGES)} messages, ${text(FILES_MB)} MB of files` +
    `${process.env.BACKUP_PASSPHRASE ? ', encrypted' : ''}\n`,
)
console.log('| What | Measured | Goal |\n| --- | --- | --- |')
for (const [what, measured, goal = ''] of rows) console.log(`| ${what} | ${measured} | ${goal} |`)
process.exit(hasFailed ? 1 : 0)

function text(value: number): string {
  return value.toLocaleString('en-US')
}

function note(what: string, measured: string, goal?: string) {
  rows.push([what, measured, goal])
  console.error(`${what}: ${measured}`)
}

function check(what: string, isSo: boolean) {
  note(what, isSo ? 'yes' : 'NO')
  if (!isSo) hasFailed = true
}

async function start(dataDir: string, isDemo: boolean) {
  const server = await startShippedServer(dataDir, { isDemo })
  async function enter(grant: 'password' | 'refresh_token', body: object) {
    const response = await fetch(`${server.url}/auth/v1/token?grant_type=${grant}`, {
      method: 'POST',
      headers: { apikey: server.key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return response.ok
      ? ((await response.json()) as { access_token: string; refresh_token: string })
      : null
  }
  return {
    ...server,
    signIn: (email: string) => enter('password', { email, password: PASSWORD }),
    refresh: (refresh_token: string) => enter('refresh_token', { refresh_token }),
    async stop() {
      running = null
      await server.stop()
    },
  }
}

async function measure() {
  const home = join(folder, 'home')
  const server = (running = await start(home, true))
  const database = await connectTo(home)
  // Else a failure before its end would be hidden by that of the connection.
  database.on('error', () => undefined)
  const images = await fill(database, home)

  const session = await server.signIn('maya.ortiz@example.com')
  const chat = await startChat(
    server.url,
    server.key,
    async (email) => (await server.signIn(email))?.access_token ?? '',
  )
  chat.begin('warm-up')
  await wait(10_000)
  chat.begin('calm')
  const calm = watchMemory(server.pid)
  await wait(CALM_S * 1000)
  note('Server and Postgres before, PSS', inMb(calm.stop().treeKb))

  const known = chat.acknowledged()
  chat.begin('backup')
  const meanwhile = watchMemory(server.pid)
  const file = await backUp(home)
  note('Server and Postgres meanwhile, PSS', inMb(meanwhile.stop().treeKb))
  await chat.end()
  compareChat(chat)
  const before = await countRows(database)
  await database.end()
  await server.stop()

  const restored = join(folder, 'restored')
  await program('Restore', ['restore', file], restored, '≤ 600 s')
  await program('Archive verified in the restored one', ['archive', 'verify'], restored)
  const again = (running = await start(restored, false))
  const copy = await connectTo(restored)
  check('Password still signs in', (await again.signIn('m7@example.com')) !== null)
  check('Session still refreshes', (await again.refresh(session?.refresh_token ?? '')) !== null)
  await compare(copy, before, known)
  await compareFiles(restored, images)
  await copy.end()
}

async function fill(client: pg.Client, home: string) {
  const started = performance.now()
  const lap = (what: string) =>
    console.error(`${what} after ${((performance.now() - started) / 1000).toFixed(0)} s`)
  await addMembers(client)
  const images = await addImages(client, home, FILES_MB, EVERY)
  lap(`${images.length} images`)
  await addMessages(client, MESSAGES, images)
  lap('messages')
  await keepArchive(client, images)
  lap('archived')
  const { rows: sizes } = await client.query<{ mb: number }>(
    'select pg_database_size(current_database())::float8 / 1e6 as mb',
  )
  note('Database', `${(sizes[0]?.mb ?? 0).toFixed(0)} MB`)
  note('Files', `${text(images.length)}, ${text(FILES_MB)} MB`)
  return images
}

async function backUp(home: string): Promise<string> {
  const printed = await program('Backup', ['backup', backupFolder], home, '≤ 300 s')
  const file = printed.trim().split('\n').at(-1) ?? ''
  note('The file', `${((await stat(file)).size / 1e6).toFixed(0)} MB`)
  return file
}

/** Runs the program beside the server, and notes its time and memory. @returns what it printed */
async function program(what: string, args: string[], dataDir: string, goal?: string) {
  const started = performance.now()
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', 'server/dist/maintenance.js', ...args],
    { env: { ...process.env, DATA_DIR: dataDir }, stdio: ['ignore', 'pipe', 'ignore'] },
  ) as ChildProcess & { stdout: NonNullable<ChildProcess['stdout']> }
  const memory = watchMemory(child.pid ?? 0)
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const [code] = (await once(child, 'exit')) as [number]
  const seconds = (performance.now() - started) / 1000
  const { programKb, treeKb, cpuS } = memory.stop()
  if (code !== 0) throw new Error(`${what} ended with ${code}: ${printed}`)
  note(what, `${seconds.toFixed(1)} s, ${cpuS.toFixed(0)} s of CPU`, goal)
  note(`${what}: most memory of the program, RSS`, inMb(programKb), goal && '≤ 300 MB')
  if (what === 'Restore') note(`${what}: with its Postgres, PSS`, inMb(treeKb))
  return printed
}

/** Watches a process and everything below it. */
function watchMemory(pid: number) {
  const most = { programKb: 0, treeKb: 0, cpuS: 0 }
  const look = () => {
    most.programKb = Math.max(most.programKb, peakKb(pid))
    most.treeKb = Math.max(most.treeKb, proportionalKb(pid))
    most.cpuS = Math.max(most.cpuS, usageOf([pid]).cpuS)
  }
  const timer = setInterval(look, SAMPLE_MS)
  return {
    stop() {
      clearInterval(timer)
      return most
    },
  }
}

function inMb(kilobytes: number): string {
  return `${((kilobytes * 1024) / 1e6).toFixed(0)} MB`
}

function compareChat(chat: Chat) {
  const [calm, backup] = ['calm', 'backup'].map((phase) => {
    const sorted = (chat.took.get(phase) ?? []).toSorted((one, other) => one - other)
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? NaN
    note(
      `Chat, ${phase === 'calm' ? 'calm' : 'during the backup'}: until the others have a message`,
      `p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms, slowest ${at(1).toFixed(0)} ms of ${text(sorted.length)}`,
    )
    return at(0.99)
  })
  note(
    'Chat: p99 during the backup by calm',
    `${((backup ?? 0) / (calm ?? 1)).toFixed(2)} ×`,
    '≤ 2 ×',
  )
  check('Every message of the chat was stored', chat.failed() === 0)
}

async function countRows(client: pg.Client) {
  const counts = new Map<string, number>()
  for (const table of TABLES) {
    const { rows: found } = await client.query<{ count: number }>(
      `select count(*)::int as count from ${table}`,
    )
    counts.set(table, found[0]?.count ?? 0)
  }
  return counts
}

async function compare(client: pg.Client, before: Map<string, number>, known: string[]) {
  const after = await countRows(client)
  // The chat went on, and was indexed.
  const isSame = TABLES.every((table) =>
    table === 'archive.search_entries'
      ? (after.get(table) ?? 0) >= MESSAGES
      : after.get(table) === before.get(table),
  )
  check(`As many ${TABLES.join(', ')}`, isSame)
  const { rows: found } = await client.query<{ old: number; said: string[] }>(
    `select (select count(*)::int from public.chat_messages where message like 'Message number %') as old,
       array(select message from public.chat_messages where chat_id = $1 and message like 'The call at ten%') as said`,
    [chatId(1)],
  )
  check(`All ${text(MESSAGES)} messages`, found[0]?.old === MESSAGES)
  const said = new Set(found[0]?.said)
  check(
    `All ${text(known.length)} messages acknowledged before the backup began`,
    known.every((message) => said.has(message)),
  )
}

async function compareFiles(restored: string, images: { version: string; sha256: string }[]) {
  const step = Math.max(1, Math.floor(images.length / COMPARED_FILES))
  const some = images.filter((_, n) => n % step === 0)
  let same = 0
  for (const { version, sha256 } of some) {
    const hash = createHash('sha256')
    const path = join(restored, 'storage/objects', version.slice(0, 2), version)
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
    if (hash.digest('hex') === sha256) same++
  }
  check(`SHA-256 of ${some.length} files`, same === some.length)
}
