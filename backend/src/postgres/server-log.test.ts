import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../../testing/start-test-backend.ts'
import { LIMITS } from './limits.ts'
import { pruneLog } from './server-log.ts'

let backend: TestBackend
let owner: pg.Client

beforeAll(async () => {
  backend = await startTestBackend({
    sql: `create function public.take(id uuid) returns uuid language sql as 'select id';
          create table public.notes (secret text unique check (secret <> 'refused secret'));
          create function public.complain(words text) returns void language plpgsql as
            $$ begin raise warning '%', words; raise exception '%', words; end $$;`,
  })
  owner = new pg.Client({ connectionString: backend.superuserUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await backend.close()
})

async function logFile(): Promise<string> {
  const { rows } = await owner.query<{ file: string }>(
    `select current_setting('data_directory') || '/' || pg_current_logfile() as file`,
  )
  return rows[0]?.file ?? ''
}

async function post(path: string, body: unknown): Promise<number> {
  const response = await fetch(`${backend.url}/rest/v1/${path}`, {
    method: 'POST',
    headers: { apikey: backend.secretKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  await response.text()
  return response.status
}

test('nothing from a request is written to the Postgres log, whatever its size', async () => {
  const before = (await stat(await logFile())).size
  const marker = 'words-of-a-member '
  expect(await post('rpc/take', { id: marker.repeat(200_000) })).toBe(400)
  expect(await post('rpc/complain', { words: marker })).toBe(400)
  expect(await post('notes', { secret: 'refused secret' })).toBe(400)
  const { size } = await stat(await logFile())
  expect(size - before).toBeLessThan(20_000)
  const text = await readFile(await logFile(), 'utf8')
  expect(text).not.toContain(marker)
  expect(text).not.toContain('refused secret')
})

test('the log is rotated by size and readable only by its owner', async () => {
  const { rows } = await owner.query<{ setting: string }>(
    `select setting || coalesce(unit, '') as setting from pg_settings where name = 'log_rotation_size'`,
  )
  expect(rows).toEqual([{ setting: `${LIMITS.logFileBytes / 1024}kB` }])
  const file = await logFile()
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await stat(join(file, '..'))).mode & 0o077).toBe(0)
})

test('only the newest log files are kept', async () => {
  const cluster = await mkdtemp(join(tmpdir(), 'log-'))
  const folder = join(cluster, 'log')
  await mkdir(folder)
  const names = Array.from({ length: 9 }, (_, day) => `postgres-2026010${day + 1}-000000.log`)
  for (const name of [...names, 'notes.txt']) await writeFile(join(folder, name), '')
  await pruneLog(cluster)
  expect((await readdir(folder)).sort()).toEqual(['notes.txt', ...names.slice(-LIMITS.logFiles)])
  await rm(cluster, { recursive: true })
})
