// What an owner's update does: the folder of an earlier version, filled, started by this one. Every release gets its turn, from its
// tag; a made-up next version takes the turn of this one.
import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadInstallationKeys } from 'backend/http/installation-keys.ts'
import { startEmbeddedCluster } from 'backend/postgres/embedded-cluster.ts'
import { updateDatabase } from 'backend/postgres/update-database.ts'
import { anInstallation, settingsFor, sqlIn } from '../testing/an-installation.ts'
import { readArchive } from './backup/places/folder-place.ts'
import { silent } from './backup/progress.ts'
import type { SchemaFolders } from './backup/restore/plan-load.ts'
import { restoreInstallation } from './backup/restore/restore-installation.ts'
import { verifyBackup } from './backup/verify-backup.ts'
import { loadDemoTeam } from './demo-team.ts'
import { PROJECT, projectFiles } from './project-files.ts'
import { startServer } from './start-server.ts'

// Each starts Postgres several times, which takes a loaded machine seconds.
vi.setConfig({ testTimeout: 120_000 })

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: PROJECT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

function releaseTags(): string[] {
  try {
    return git('tag', '--list', 'v*', '--merged', 'HEAD').split('\n').filter(Boolean)
  } catch {
    // Not a clone: a copy of the files has no earlier releases.
    return []
  }
}

let root: string
let dataDir: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'update-'))
  dataDir = join(root, 'data')
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** As a release began: its tables, with its demo team in them. */
async function anOlderInstallation(schema: SchemaFolders, seed: string) {
  await mkdir(dataDir)
  const { databasePassword: password } = await loadInstallationKeys(dataDir)
  const cluster = await startEmbeddedCluster({ dataDir, password })
  await updateDatabase({ url: cluster.url, password, ...schema })
  await loadDemoTeam(cluster.url, seed)
  await cluster.stop()
}

async function aNextVersion(sql: string): Promise<SchemaFolders> {
  const migrations = join(root, 'next')
  await cp(projectFiles.migrations, migrations, { recursive: true })
  await writeFile(join(migrations, '29990101000000_next.sql'), sql)
  return { platform: projectFiles.platform, migrations }
}

const backups = async () => (await readdir(join(dataDir, 'backups')).catch(() => [])).sort()

describe.each(releaseTags())('from release %s', (tag) => {
  test('everything is there and works, and a backup was made first', async () => {
    const old = join(root, 'old')
    await mkdir(old)
    const files = ['backend/platform', 'supabase/migrations', 'supabase/seed']
    const tar = execFileSync('git', ['archive', tag, ...files], { cwd: PROJECT, maxBuffer: 1e9 })
    execFileSync('tar', ['x'], { cwd: old, input: tar })
    await anOlderInstallation(
      { platform: join(old, 'backend/platform'), migrations: join(old, 'supabase/migrations') },
      join(old, 'supabase/seed/demo-team.sql'),
    )
    const messages = 'select count(*) from public.chat_messages'
    const before = await sqlIn(await settingsFor(dataDir), messages)
    const team = await anInstallation({ dataDir, demo: false })
    expect(await team.sql(messages)).toEqual(before)
    expect((await team.signIn()).user).toBeDefined()
    await team.stop()
  })
})

describe('to a next version', () => {
  const change = `
    alter table public.chats add column next_column text;
    update public.chats set next_column = 'filled';`

  test('a backup is made first, without files, and brings the database back as it was', async () => {
    await anOlderInstallation(projectFiles, projectFiles.demoTeam)
    const settings = await settingsFor(dataDir)
    const schema = await aNextVersion(change)
    const server = await startServer(settings, { withoutWebApp: true, schema })
    await server.close()
    expect(await sqlIn(settings, 'select distinct next_column from public.chats')).toEqual([
      { next_column: 'filled' },
    ])
    const [name = '', ...others] = await backups()
    expect(others).toEqual([])
    const path = join(dataDir, 'backups', name)
    const { header } = await verifyBackup(readArchive(path), {
      progress: silent,
      passphrase: undefined,
    })
    expect(header.withFiles).toBe(false)

    await rm(join(dataDir, 'postgres'), { recursive: true })
    await restoreInstallation(readArchive(path), settings, { progress: silent })
    const team = await anInstallation({ dataDir, demo: false })
    expect((await team.signIn()).user).toBeDefined()
    await team.stop()
  })

  test('a start without new migrations makes no backup', async () => {
    await anOlderInstallation(projectFiles, projectFiles.demoTeam)
    const settings = await settingsFor(dataDir)
    for (let start = 0; start < 2; start++)
      await (await startServer(settings, { withoutWebApp: true })).close()
    expect(await backups()).toEqual([])
  })

  test('a failed update leaves all as it was, and the version before starts again', async () => {
    await anOlderInstallation(projectFiles, projectFiles.demoTeam)
    const settings = await settingsFor(dataDir)
    const schema = await aNextVersion(
      `${change} alter table public.no_such_table add column x int;`,
    )
    await expect(startServer(settings, { withoutWebApp: true, schema })).rejects.toThrow(
      'migration 29990101000000_next.sql failed: relation "public.no_such_table" does not exist',
    )
    const team = await anInstallation({ dataDir, demo: false })
    expect((await team.signIn()).user).toBeDefined()
    expect(
      await team.sql(`select from information_schema.columns where column_name = 'next_column'`),
    ).toEqual([])
    await team.stop()
  })

  test('an older version refuses the folder of a newer one, and leaves it as it is', async () => {
    await anOlderInstallation(await aNextVersion(change), projectFiles.demoTeam)
    const settings = await settingsFor(dataDir)
    await expect(startServer(settings, { withoutWebApp: true })).rejects.toThrow(
      'this database was made by a later version: its history has migration 29990101000000 that this version does not. ' +
        'Update, then start again. Nothing was changed.',
    )
    const filled = `select name from public.chats where next_column = 'filled'`
    expect(await sqlIn(settings, filled)).toEqual([{ name: 'Rally Chat' }])
  })

  test('a folder of another Postgres version is refused with what to do, and left as it is', async () => {
    await anOlderInstallation(projectFiles, projectFiles.demoTeam)
    const version = join(dataDir, 'postgres/PG_VERSION')
    await writeFile(version, '17\n')
    const settings = await settingsFor(dataDir)
    await expect(startServer(settings, { withoutWebApp: true })).rejects.toThrow(
      /is of Postgres 17, and this version brings Postgres \d+\. Nothing was changed\. With the version you had before, make a backup/,
    )
    await writeFile(version, '18\n')
    await (await startServer(settings, { withoutWebApp: true })).close()
  })
})
