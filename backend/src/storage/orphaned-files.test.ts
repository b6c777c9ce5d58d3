import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../../testing/start-test-backend.ts'
import type { Storage } from './context.ts'
import { createFileStore } from './file-store.ts'
import { registerFile, removeOrphans, removeStaleUploads } from './orphaned-files.ts'
import { stageUpload } from './staged-upload.ts'

let backend: TestBackend
let storage: Storage
let directory: string

beforeAll(async () => {
  backend = await startTestBackend()
  directory = await mkdtemp(join(tmpdir(), 'leftovers-'))
  storage = {
    database: backend.database,
    tokens: backend.tokens,
    clock: backend.clock,
    log: pino({ level: 'silent' }),
    store: createFileStore(directory),
    stagingDirectory: join(directory, 'drafts'),
    slots: new Map(),
    freeBytes: () => Promise.resolve(Infinity),
  }
})
afterAll(async () => {
  await backend.close()
  await rm(directory, { recursive: true, force: true })
})

async function fileWithoutRow(): Promise<string> {
  const version = randomUUID()
  const source = (async function* () {
    yield Buffer.from('bytes')
  })()
  const staged = await stageUpload(source, { directory, id: randomUUID(), limit: 10 })
  await registerFile(storage, version)
  await storage.store.put(staged, version)
  return version
}

function sql(text: string, values: unknown[] = []) {
  return backend.database.asService('storage', 'arranging').query({ text, values })
}

test('a file whose row was never written is deleted after an hour, not before', async () => {
  const version = await fileWithoutRow()
  await removeOrphans(storage)
  expect(await storage.store.read(version, 5, null)).not.toBeNull()
  await sql("update storage.leftovers set due_at = due_at - interval '61 minutes'")
  await removeOrphans(storage)
  expect(await storage.store.read(version, 5, null)).toBeNull()
  expect((await sql('select from storage.leftovers')).rowCount).toBe(0)
})

test('a file with a row is never deleted as an orphan', async () => {
  const version = await fileWithoutRow()
  await sql("insert into storage.buckets (id, name) values ('b', 'b') on conflict do nothing")
  await sql("insert into storage.objects (bucket_id, name, version) values ('b', 'x', $1)", [
    version,
  ])
  await sql("update storage.leftovers set due_at = now() - interval '1 day'")
  await removeOrphans(storage)
  expect(await storage.store.read(version, 5, null)).not.toBeNull()
})

test('a file that cannot be deleted stays registered', async () => {
  const version = await fileWithoutRow()
  await sql("update storage.leftovers set due_at = now() - interval '1 day'")
  const broken = { ...storage.store, remove: () => Promise.reject(new Error('disk is away')) }
  await removeOrphans({ ...storage, store: broken })
  expect((await sql('select version from storage.leftovers')).rows).toEqual([{ version }])
})

test('staged uploads of a crashed process are deleted after a day', async () => {
  await mkdir(storage.stagingDirectory, { recursive: true })
  await writeFile(join(storage.stagingDirectory, 'fresh'), 'x')
  await writeFile(join(storage.stagingDirectory, 'old'), 'x')
  const twoDaysAgo = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000)
  await utimes(join(storage.stagingDirectory, 'old'), twoDaysAgo, twoDaysAgo)
  await removeStaleUploads(storage)
  expect(await readdir(storage.stagingDirectory)).toEqual(['fresh'])
})
