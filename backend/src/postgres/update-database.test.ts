import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { MIGRATIONS, PLATFORM } from '../../testing/folders.ts'
import { TEST_PASSWORD } from '../../testing/passwords.ts'
import { cloneDatabase, databaseUrl, dropDatabase } from '../../testing/test-cluster.ts'
import { updateDatabase } from './update-database.ts'

const NAME = 'update_database_test'
const url = databaseUrl(inject('clusterUrl'), NAME)
let folders: { platform: string; migrations: string }
const update = (more: Partial<Parameters<typeof updateDatabase>[0]> = {}) =>
  updateDatabase({ url, password: TEST_PASSWORD, ...folders, ...more })

beforeEach(async () => {
  await cloneDatabase(inject('clusterUrl'), NAME, 'with_product')
  const root = await mkdtemp(join(tmpdir(), 'update-'))
  folders = { platform: join(root, 'platform'), migrations: join(root, 'migrations') }
  await cp(PLATFORM, folders.platform, { recursive: true })
  await cp(MIGRATIONS, folders.migrations, { recursive: true })
})
afterEach(async () => {
  await dropDatabase(inject('clusterUrl'), NAME)
  await rm(join(folders.platform, '..'), { recursive: true, force: true })
})

const aPlatformFile = (sql: string) => writeFile(join(folders.platform, '9990_later.sql'), sql)
const aMigration = (number: number, sql: string) =>
  writeFile(join(folders.migrations, `2999010100000${number}_later.sql`), sql)

async function exists(table: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rowCount } = await client.query('select where to_regclass($1) is not null', [table])
  await client.end()
  return rowCount === 1
}

test('a database that is up to date is not changed', async () => {
  let called = false
  expect(await update({ beforeChange: async () => void (called = true) })).toEqual([])
  expect(called).toBe(false)
})

test('what an update needs first happens before the first change', async () => {
  await aPlatformFile('create table extensions.later_one (id int)')
  await aMigration(1, 'create table public.later_two (id int)')
  const pending: string[] = []
  await update({
    async beforeChange(names) {
      pending.push(...names)
      expect(await exists('extensions.later_one')).toBe(false)
    },
  })
  expect(pending).toEqual(['9990_later.sql', '29990101000001_later.sql'])
  expect([await exists('extensions.later_one'), await exists('public.later_two')]).toEqual([
    true,
    true,
  ])
})

test('an update that cannot be prepared changes nothing', async () => {
  await aMigration(1, 'create table public.later_two (id int)')
  const beforeChange = () => Promise.reject(new Error('no room for a backup'))
  await expect(update({ beforeChange })).rejects.toThrow('no room for a backup')
  expect(await exists('public.later_two')).toBe(false)
})

test('a failed migration leaves everything as it was, what succeeded before it too', async () => {
  await aPlatformFile('create table extensions.later_one (id int)')
  await aMigration(1, 'create table public.later_two (id int)')
  await aMigration(2, 'create table public.later_three (id no_such_type)')
  await expect(update()).rejects.toThrow(
    'migration 29990101000002_later.sql failed: type "no_such_type" does not exist',
  )
  expect([await exists('extensions.later_one'), await exists('public.later_two')]).toEqual([
    false,
    false,
  ])
  await aMigration(2, 'create table public.later_three (id int)')
  expect(await update()).toHaveLength(3)
})

test('an older version refuses the database of a newer one, by its migrations or its platform', async () => {
  await aMigration(1, 'select')
  await update()
  await rm(join(folders.migrations, '29990101000001_later.sql'))
  await expect(update()).rejects.toThrow(
    'this database was made by a later version: its history has migration 29990101000001 that this version does not. ' +
      'Update, then start again. Nothing was changed.',
  )
  await aMigration(1, 'select')
  await aPlatformFile('select')
  await update()
  await rm(join(folders.platform, '9990_later.sql'))
  await expect(update()).rejects.toThrow(
    'this database was made by a later version: it has the platform file 9990_later.sql that this version does not.',
  )
})

test('servers that start at once on databases of one cluster change the same roles one after the other', async () => {
  const others = Array.from({ length: 3 }, (_, n) => `${NAME}_${n}`)
  for (const other of others) await cloneDatabase(inject('clusterUrl'), other, 'with_product')
  await aPlatformFile('alter role authenticator connection limit -1')
  try {
    const urls = [url, ...others.map((other) => databaseUrl(inject('clusterUrl'), other))]
    const starts = await Promise.allSettled(
      Array.from({ length: 5 }, () => urls.map((each) => update({ url: each }))).flat(),
    )
    expect(starts.filter(({ status }) => status === 'rejected')).toEqual([])
  } finally {
    for (const other of others) await dropDatabase(inject('clusterUrl'), other)
  }
})
