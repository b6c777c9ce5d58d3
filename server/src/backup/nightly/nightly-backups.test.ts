import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { readdir, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from 'backend/http/clock.ts'
import { loadInstallationKeys } from 'backend/http/installation-keys.ts'
import { openDatabase, type Database } from 'backend/postgres/database.ts'
import { startS3Service, type S3Service } from 'backend/testing/s3-service.ts'
import { aFolder, anInstallation, type Installation } from '../../../testing/an-installation.ts'
import { readSettings, type Settings } from '../../settings.ts'
import { openDatabaseOf } from '../installation.ts'
import { readArchive } from '../places/folder-place.ts'
import { silent } from '../progress.ts'
import { verifyBackup } from '../verify-backup.ts'
import { runNightlyBackup, type NightlyResult } from './backup-process.ts'
import { startNightlyBackups, type NightlyDependencies } from './nightly-backups.ts'

// Each starts processes and Postgres, which takes a loaded machine seconds.
vi.setConfig({ testTimeout: 90_000, expect: { poll: { timeout: 60_000 } } })

let team: Installation
let database: Database
let folder: string
const running: { close(): Promise<void> }[] = []

beforeAll(async () => {
  team = await anInstallation()
  await team.upload('one.png', randomBytes(2000))
  const { url } = await openDatabaseOf(team.settings)
  const { databasePassword: password } = await loadInstallationKeys(team.dataDir)
  database = openDatabase({ url, password, onError: () => undefined })
})
afterAll(async () => {
  await database?.close()
  await team?.close()
})
beforeEach(async () => {
  folder = await aFolder()
  await team.sql('delete from private.backups')
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.close()))
  await rm(folder, { recursive: true, force: true })
})

const settingsWith = (environment: Record<string, string> = {}): Settings =>
  readSettings({ DATA_DIR: team.dataDir, BACKUP_TO: folder, ...environment })

function start(settings: Settings, more: Partial<NightlyDependencies> = {}) {
  const log = pino({ level: 'silent' })
  const nightly = startNightlyBackups({
    settings,
    database,
    clock: systemClock,
    log,
    everyMs: 100,
    ...more,
  })
  running.push(nightly)
  return nightly
}

const states = async () =>
  (await team.sql<{ state: string }>('select state from private.backups order by started_at')).map(
    ({ state }) => state,
  )

test('the first backup is made at once, verified, and its state recorded', async () => {
  start(settingsWith({ BACKUP_PASSPHRASE: 'a long enough passphrase' }))
  await expect.poll(states).toEqual(['verified'])
  const [name = '', ...others] = await readdir(folder)
  expect(others).toEqual([])
  const { manifest } = await verifyBackup(readArchive(join(folder, name)), {
    progress: silent,
    passphrase: 'a long enough passphrase',
  })
  const [state] = await team.sql('select * from private.backup_state()')
  expect(state).toMatchObject({
    is_good: true,
    address: join(folder, name),
    row_count: String(manifest.rows),
    file_count: '1',
    missing_files: '0',
  })
})

test('several servers make one', async () => {
  let made = 0
  const run = async (): Promise<NightlyResult> => {
    made++
    await new Promise((resolve) => setTimeout(resolve, 300))
    return { address: 'x', bytes: 1, row_count: 1, file_count: 1, missing_files: 0 }
  }
  const servers = Array.from({ length: 4 }, () => start(settingsWith(), { run }))
  await expect.poll(states).toEqual(['verified'])
  await Promise.all(servers.map((each) => each.close()))
  expect(made).toBe(1)
})

test('the newest ones are kept, and what else is in the folder stays: other files, and the backups of another installation', async () => {
  const night = () =>
    runNightlyBackup(settingsWith({ BACKUP_KEEP: '2' }), new AbortController().signal)
  await night()
  const [first = ''] = await readdir(folder)
  const own = ['01', '02', '03'].map((day) => first.replace(/\d{8}T/, `202501${day}T`))
  const others = [...own, `${own[0]}.partial`].map((name) => name.replace(/Z-.{8}/, 'Z-00000000'))
  for (const name of [...own, ...others, `${own[0]}.partial`, 'notes.txt'])
    await writeFile(join(folder, name), 'x')
  await rm(join(folder, first))
  await night()
  const names = (await readdir(folder)).sort()
  const left = [own[2], expect.stringMatching(/^backup-/), ...others, 'notes.txt'] as string[]
  expect(names).toHaveLength(left.length)
  expect(names).toEqual(expect.arrayContaining(left))
})

test('a server that stops gives its backup up, leaves nothing behind and begins it again at its next start', async () => {
  const gate = createServer()
  gate.listen(0, '127.0.0.1')
  await once(gate, 'listening')
  // A store that never responds holds the backup in the middle.
  const stuck = settingsWith({
    BACKUP_TO: 's3://team/backups',
    BACKUP_S3_ENDPOINT: `http://127.0.0.1:${(gate.address() as AddressInfo).port}`,
    BACKUP_S3_ACCESS_KEY_ID: 'key',
    BACKUP_S3_SECRET_ACCESS_KEY: 'secret',
  })
  const asked = once(gate, 'request')
  const nightly = start(stuck)
  await asked
  await expect.poll(states).toEqual(['running'])
  await nightly.close()
  gate.closeAllConnections()
  gate.close()
  expect(await states()).toEqual([])
  start(settingsWith())
  await expect.poll(states).toEqual(['verified'])
})

test('a backup that somebody removed is made again', async () => {
  await start(settingsWith()).close()
  const nightly = start(settingsWith())
  await expect.poll(states).toEqual(['verified'])
  await nightly.close()
  await team.sql("update private.backups set finished_at = finished_at - interval '1 hour'")
  for (const name of await readdir(folder)) await rm(join(folder, name))
  start(settingsWith())
  await expect.poll(states).toEqual(['gone', 'verified'])
  expect(await readdir(folder)).toHaveLength(1)
})

test('what went wrong is recorded in the words of the backup', async () => {
  const file = join(folder, 'a-file')
  await writeFile(file, '')
  start(settingsWith({ BACKUP_TO: join(file, 'below') }))
  await expect.poll(states).toEqual(['failed'])
  const [state] = await team.sql<{ failure: string }>('select failure from private.backup_state()')
  expect(state?.failure).toMatch(/^Cannot write to .*below: /)
})

test('a bucket that is away costs the night an attempt and members nothing; ten minutes later, when it is back, the backup is made', async () => {
  const away = await startS3Service()
  await away.close()
  const nightly = start(settingsWith(bucketOf(away)))
  await expect.poll(states).toEqual(['failed'])
  const [state] = await team.sql<{ failure: string }>('select failure from private.backup_state()')
  expect(state?.failure).toBe(
    `The store of backups at ${away.settings.endpoint} cannot be reached.`,
  )
  expect((await team.signIn()).user).toBeDefined()
  await nightly.close()

  const service = await startS3Service()
  try {
    const tooEarly = start(settingsWith(bucketOf(service)))
    const claim = 'select public.claim_backup(due_at) as id from private.backups'
    expect(await team.sql(claim)).toEqual([{ id: null }])
    expect(await states()).toEqual(['failed'])
    await team.sql(`update private.backups
      set started_at = started_at - interval '10 minutes', finished_at = finished_at - interval '10 minutes'`)
    await expect.poll(states).toEqual(['failed', 'verified'])
    await tooEarly.close()
    expect([...service.objects.keys()]).toEqual([
      expect.stringMatching(/^backups\/backup-.*\.tar$/),
    ])
  } finally {
    await service.close()
  }
})

const bucketOf = ({ settings }: S3Service) => ({
  BACKUP_TO: 's3://team/backups',
  BACKUP_S3_ENDPOINT: settings.endpoint,
  BACKUP_S3_REGION: settings.region,
  BACKUP_S3_ACCESS_KEY_ID: settings.accessKeyId,
  BACKUP_S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
})

test('a bucket without its keys is refused at the start', () => {
  expect(() => start(settingsWith({ BACKUP_TO: 's3://team/backups' }))).toThrow(
    'A bucket needs BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY',
  )
})
