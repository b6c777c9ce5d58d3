import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { cloneDatabase, databaseUrl, dropDatabase } from '../../testing/test-cluster.ts'
import { applyMigrations } from './migrations.ts'

const NAME = 'migrations_test'
const url = databaseUrl(inject('clusterUrl'), NAME)
let folder: string

beforeEach(async () => {
  await cloneDatabase(inject('clusterUrl'), NAME, 'platform_only')
  folder = await mkdtemp(join(tmpdir(), 'migrations-'))
})
afterEach(async () => {
  await dropDatabase(inject('clusterUrl'), NAME)
  await rm(folder, { recursive: true, force: true })
})

const writeMigration = (version: string, table: string) =>
  writeFile(join(folder, `${version}_${table}.sql`), `create table public.${table} (id int);`)

async function tables(): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ tablename: string }>(
    `select tablename from pg_tables where schemaname = 'public' order by 1`,
  )
  await client.end()
  return rows.map((row) => row.tablename)
}

test('each start applies only new migrations', async () => {
  await writeMigration('20260101000000', 'first')
  expect(await applyMigrations(url, folder)).toEqual(['20260101000000_first.sql'])
  await writeMigration('20260102000000', 'second')
  expect(await applyMigrations(url, folder)).toEqual(['20260102000000_second.sql'])
  expect(await tables()).toEqual(['first', 'second'])
})

test('a database from before the baseline is refused with a clear message and left unchanged', async () => {
  await writeMigration('20260101000000', 'first')
  await writeMigration('20260102000000', 'second')
  await applyMigrations(url, folder)
  await rm(folder, { recursive: true })
  folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  await writeMigration('20260201000000', 'baseline')
  await expect(applyMigrations(url, folder)).rejects.toThrow(
    'this database was made by an earlier, unreleased version: its history has migration 20260101000000 and 1 more ' +
      'that this version does not. Start with a new, empty database. Nothing was changed.',
  )
  expect(await tables()).toEqual(['first', 'second'])
})

test('a database of a later version is refused with a clear message', async () => {
  await writeMigration('20260101000000', 'baseline')
  await writeMigration('20260301000000', 'later')
  await applyMigrations(url, folder)
  await rm(join(folder, '20260301000000_later.sql'))
  await expect(applyMigrations(url, folder)).rejects.toThrow(
    'made by a later version: its history has migration 20260301000000 that this version does not. Update',
  )
})
