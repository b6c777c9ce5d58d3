// Moving house: out of the built-in Postgres into one that somebody runs elsewhere.
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startEmbeddedCluster } from 'backend/postgres/embedded-cluster.ts'
import { GuardedClient } from 'backend/postgres/guarded-client.ts'
import {
  aFolder,
  anInstallation,
  settingsFor,
  type Installation,
} from '../../../testing/an-installation.ts'
import { restoreCommand } from '../commands.ts'
import { backUpInstallation } from '../make-backup.ts'
import { createFolderPlace } from '../places/folder-place.ts'
import { silent } from '../progress.ts'

// Each starts Postgres several times, which takes a loaded machine seconds.
vi.setConfig({ testTimeout: 120_000 })

const picture = randomBytes(3000)
const toRemove: string[] = []
let team: Installation
let backup: string
let outside: Awaited<ReturnType<typeof startEmbeddedCluster>>

async function anEmptyFolder() {
  const folder = await aFolder()
  toRemove.push(folder)
  return folder
}

beforeAll(async () => {
  team = await anInstallation()
  await team.upload('one.png', picture)
  const place = createFolderPlace(await anEmptyFolder())
  backup = (await backUpInstallation(team.settings, place, { progress: silent })).address
  outside = await startEmbeddedCluster({ dataDir: await anEmptyFolder(), password: 'outside' })
})
afterAll(async () => {
  await team?.close()
  await outside?.stop()
  for (const each of toRemove) await rm(each, { recursive: true, force: true })
})

async function ask(url: string, ...statements: string[]) {
  const client = new GuardedClient({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements.slice(0, -1)) await client.query(statement)
    return (await client.query<Record<string, unknown>>(statements.at(-1) ?? '')).rows
  } finally {
    await client.end()
  }
}

/** `npm run restore -- FILE --to URL`, or with the URL on standard input. */
async function restore(url: string, dataDir: string, input?: Readable) {
  const lines: string[] = []
  await restoreCommand([backup, '--to', input ? '-' : url], {
    settings: await settingsFor(dataDir),
    input,
    signal: new AbortController().signal,
    print: (line) => void lines.push(line),
  })
  return lines
}

function databaseCalled(name: string, login?: { user: string; password: string }) {
  const url = new URL(outside.url)
  url.pathname = `/${name}`
  if (login) Object.assign(url, { username: login.user, password: login.password })
  return url.href
}

test('a backup moves into a Postgres elsewhere, and the server goes on there with all members, chats and files', async () => {
  await ask(outside.url, 'create database team')
  const url = databaseCalled('team')
  const dataDir = await anEmptyFolder()
  expect(await restore(url, dataDir, Readable.from([`${url}\n`]))).toEqual([
    expect.stringMatching(/into the database and .* Start it with this database as DATABASE_URL/),
  ])
  const count = 'select count(*) from public.chat_messages'
  expect(await ask(url, count)).toEqual(await team.sql(count))
  const moved = await anInstallation({ dataDir, environment: { DATABASE_URL: url } })
  try {
    expect((await moved.signIn()).user.id).toBe((await team.signIn()).user.id)
    expect(await moved.download('one.png')).toEqual(picture)
  } finally {
    await moved.stop()
  }
})

test('a database that is in use is left as it is', async () => {
  await ask(outside.url, 'create database taken')
  const url = databaseCalled('taken')
  await ask(url, 'create table notes (text text)', `insert into notes values ('keep me')`)
  await expect(restore(url, await anEmptyFolder())).rejects.toThrow('The database is not empty.')
  expect(await ask(url, 'select text from notes')).toEqual([{ text: 'keep me' }])
  const tables = `select relname from pg_class where relkind = 'r' and relnamespace::regnamespace::text !~ '^(pg_|information)'`
  expect(await ask(url, tables)).toEqual([{ relname: 'notes' }])
})

test('a login that may not create what the services need, and a way there that is not encrypted, are refused before anything is changed', async () => {
  await ask(outside.url, `create role clerk login password 'clerk' createdb`)
  await ask(outside.url, 'create database clerks owner clerk')
  const url = databaseCalled('clerks', { user: 'clerk', password: 'clerk' })
  const dataDir = join(await anEmptyFolder(), 'new')
  await expect(restore(url, dataDir)).rejects.toThrow('must be a superuser')
  await expect(restore('https://project.supabase.co', dataDir)).rejects.toThrow(
    '--to takes the URL of a Postgres database',
  )
  await expect(restore('postgres://db.example.com/team', dataDir)).rejects.toThrow(
    'does not ask for encryption',
  )
})
