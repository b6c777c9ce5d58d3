import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../../testing/start-test-backend.ts'
import { receiveDraft } from './draft.ts'
import { expectBytes, removeLeftovers, removeOldDrafts } from './leftovers.ts'
import { createObjectStore } from './object-store.ts'
import type { Storage } from './service.ts'

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
    store: createObjectStore({ directory }),
    draftDirectory: join(directory, 'drafts'),
    fileSizeLimit: 1000,
  }
})
afterAll(async () => {
  await backend.close()
  await rm(directory, { recursive: true, force: true })
})

async function bytesWithoutRow(): Promise<string> {
  const version = randomUUID()
  const source = (async function* () {
    yield Buffer.from('bytes')
  })()
  const draft = await receiveDraft(source, { directory, id: randomUUID(), limit: 10 })
  await expectBytes(storage, version)
  await storage.store.keep(draft, version)
  return version
}

function sql(text: string, values: unknown[] = []) {
  return backend.database.asService('storage', 'arranging').query({ text, values })
}

test('bytes whose row was never written go after an hour, and not before', async () => {
  const version = await bytesWithoutRow()
  await removeLeftovers(storage)
  expect(await storage.store.read(version, 5, null)).not.toBeNull()
  await sql("update storage.leftovers set due_at = due_at - interval '61 minutes'")
  await removeLeftovers(storage)
  expect(await storage.store.read(version, 5, null)).toBeNull()
  expect((await sql('select from storage.leftovers')).rowCount).toBe(0)
})

test('bytes that a row speaks of are never leftovers', async () => {
  const version = await bytesWithoutRow()
  await sql("insert into storage.buckets (id, name) values ('b', 'b') on conflict do nothing")
  await sql("insert into storage.objects (bucket_id, name, version) values ('b', 'x', $1)", [
    version,
  ])
  await sql("update storage.leftovers set due_at = now() - interval '1 day'")
  await removeLeftovers(storage)
  expect(await storage.store.read(version, 5, null)).not.toBeNull()
})

test('what cannot be removed now stays noted', async () => {
  const version = await bytesWithoutRow()
  await sql("update storage.leftovers set due_at = now() - interval '1 day'")
  const broken = { ...storage.store, remove: () => Promise.reject(new Error('disk is away')) }
  await removeLeftovers({ ...storage, store: broken })
  expect((await sql('select version from storage.leftovers')).rows).toEqual([{ version }])
})

test('drafts of a process that died are removed a day later', async () => {
  await mkdir(storage.draftDirectory, { recursive: true })
  await writeFile(join(storage.draftDirectory, 'fresh'), 'x')
  await writeFile(join(storage.draftDirectory, 'old'), 'x')
  const twoDaysAgo = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000)
  await utimes(join(storage.draftDirectory, 'old'), twoDaysAgo, twoDaysAgo)
  await removeOldDrafts(storage)
  expect(await readdir(storage.draftDirectory)).toEqual(['fresh'])
})
