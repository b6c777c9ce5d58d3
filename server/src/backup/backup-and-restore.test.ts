import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm, stat, symlink, truncate } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  aFolder,
  anInstallation,
  MAYA,
  settingsFor,
  sqlIn,
  type Installation,
} from '../../testing/an-installation.ts'
import { BackupError } from './archive/errors.ts'
import { backUpInstallation } from './make-backup.ts'
import { createFolderPlace, readArchive } from './places/folder-place.ts'
import type { Place } from './places/place.ts'
import { silent } from './progress.ts'
import { restoreInstallation } from './restore/restore-installation.ts'
import { verifyBackup } from './verify-backup.ts'

// Each starts Postgres several times, which takes a loaded machine seconds.
vi.setConfig({ testTimeout: 90_000 })

const options = { progress: silent }
const LARGE = 3 * 1024 * 1024

let team: Installation
let folder: string
let place: Place
const toRemove: string[] = []

beforeAll(async () => {
  team = await anInstallation()
  folder = await aFolder()
  place = createFolderPlace(folder)
})
afterAll(async () => {
  await team?.close()
  for (const each of [folder, ...toRemove]) await rm(each, { recursive: true, force: true })
})

const verify = (path: string, passphrase?: string) =>
  verifyBackup(readArchive(path), { ...options, passphrase })

async function anEmptyFolder() {
  const dataDir = await aFolder()
  toRemove.push(dataDir)
  return dataDir
}

async function restore(path: string, environment: Record<string, string> = {}) {
  const dataDir = await anEmptyFolder()
  const settings = await settingsFor(dataDir, environment)
  await restoreInstallation(readArchive(path), settings, options)
  return { dataDir, settings }
}

test('a backup of a running installation brings back every row and file, passwords, sessions and push keys', async () => {
  const small = randomBytes(100)
  const large = randomBytes(LARGE)
  await team.upload('small.png', small)
  await team.upload('large.png', large)
  const session = await team.signIn()
  const before = await team.sql('select id, message, sent_at from public.chat_messages order by id')

  const made = await backUpInstallation(team.settings, place, options)
  expect(made.manifest).toMatchObject({ files: { count: 2, missing: [] } })
  expect((await stat(made.address)).mode & 0o777).toBe(0o600)

  const { dataDir } = await restore(made.address)
  const restored = await anInstallation({ dataDir })
  try {
    expect(
      await restored.sql('select id, message, sent_at from public.chat_messages order by id'),
    ).toEqual(before)
    expect(await restored.download('small.png')).toEqual(small)
    expect(await restored.download('large.png')).toEqual(large)
    expect((await restored.signIn()).user.id).toBe(session.user.id)
    expect((await restored.refresh(session.refresh_token)).user.id).toBe(session.user.id)
    const chats = await restored.send('/rest/v1/rpc/chat_list', {
      method: 'POST',
      token: session.access_token,
    })
    expect([chats.status, ((await chats.json()) as unknown[]).length > 0]).toEqual([200, true])
    expect(await restored.vapidKey()).toBe(await team.vapidKey())
    await restored.upload('after.png', small)
    expect(await restored.download('after.png')).toEqual(small)
  } finally {
    await restored.stop()
  }
})

test('a restored database has the triggers, indexes, keys and rights of a new one', async () => {
  const catalogue = `
    select 'index' as kind, indexdef as what from pg_indexes where schemaname !~ '^pg_'
    union all select 'constraint', conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated
      from pg_constraint where conrelid <> 0
    union all select 'trigger', pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal
    union all select 'rights', oid::regclass || coalesce(relacl::text, '') || relrowsecurity from pg_class
      where relkind in ('r', 'v') and relnamespace::regnamespace::text !~ '^pg_'
    union all select 'sequence', schemaname || sequencename || coalesce(last_value::text, '') from pg_sequences
    order by 1, 2`
  const made = await backUpInstallation(team.settings, place, options)
  const { settings } = await restore(made.address)
  expect(await sqlIn(settings, catalogue)).toEqual(await team.sql(catalogue))
})

test('what is written while the backup runs is in it wholly or not at all', async () => {
  const [chat] = await team.sql<{ id: string; sender: string }>(
    `select c.id, p.user_id as sender from public.chats c join private.chat_participants p on p.chat_id = c.id limit 1`,
  )
  let sent = 0
  const duringBackup: Place = {
    ...place,
    async create(name) {
      const draft = await place.create(name)
      return {
        ...draft,
        async write(bytes) {
          // One statement for each piece of the archive: a message and what it does to others.
          sent++
          await team.sql(
            `insert into public.chat_messages (chat_id, sender_id, message) values ($1, $2, 'during the backup ' || $3::text)`,
            [chat?.id, chat?.sender, sent],
          )
          await draft.write(bytes)
        },
      }
    },
  }
  const made = await backUpInstallation(team.settings, duringBackup, options)
  expect(sent).toBeGreaterThan(10)
  await verify(made.address)
  const { settings } = await restore(made.address)
  const [found] = await sqlIn<{ messages: number }>(
    settings,
    `select count(*)::int as messages from public.chat_messages where message like 'during the backup %'`,
  )
  expect(found?.messages).toBe(0)
  await team.sql(`delete from public.chat_messages where message like 'during the backup %'`)
})

test('a file that is deleted while the backup runs is still in it, and is removed from the disk afterwards', async () => {
  await team.upload('leaving.png', Buffer.from('soon gone'))
  const [row] = await team.sql<{ version: string }>(
    `select version from storage.objects where name = 'leaving.png'`,
  )
  const path = join(
    ...[team.dataDir, 'storage/objects', row?.version.slice(0, 2) ?? '', row?.version ?? ''],
  )
  let removed: Promise<void> | null = null
  const deleting: Place = {
    ...place,
    async create(name) {
      const draft = await place.create(name)
      return {
        ...draft,
        async write(bytes) {
          await (removed ??= team.remove('leaving.png'))
          await draft.write(bytes)
        },
      }
    },
  }
  const made = await backUpInstallation(team.settings, deleting, options)
  expect(await team.download('leaving.png')).toBeNull()
  expect(made.manifest.files.missing).toEqual([])
  const { manifest } = await verify(made.address)
  expect(manifest.files.count).toBe(3)
  expect((await readFile(path)).toString()).toContain('soon gone')
  // The next deletion cleans up.
  await team.upload('next.png', Buffer.from('x'))
  await team.remove('next.png')
  await expect(stat(path)).rejects.toThrow('ENOENT')
})

test('a file that is gone from the disk does not prevent the backup of all others; it is reported', async () => {
  await team.upload('lost.png', Buffer.from('lost'))
  await team.upload('cut.png', randomBytes(1000))
  const rows = await team.sql<{ name: string; version: string }>(
    `select name, version from storage.objects where name in ('lost.png', 'cut.png') order by name`,
  )
  const pathOf = (version = '') =>
    join(team.dataDir, 'storage/objects', version.slice(0, 2), version)
  await truncate(pathOf(rows[0]?.version), 500)
  await rm(pathOf(rows[1]?.version))
  const made = await backUpInstallation(team.settings, place, options)
  expect(made.manifest.files.missing.toSorted()).toEqual(
    rows.map(({ version }) => version).toSorted(),
  )
  expect((await verify(made.address)).manifest.files.count).toBe(2)
  await team.remove('lost.png')
  await team.remove('cut.png')
})

test('a backup is encrypted with the passphrase, and can be read only with it', async () => {
  const passphrase = 'a long enough passphrase'
  const settings = { ...team.settings, BACKUP_PASSPHRASE: passphrase }
  const made = await backUpInstallation(settings, place, options)
  expect(made.name).toMatch(/\.tar\.sealed$/)
  expect((await readFile(made.address)).includes('keys.json')).toBe(false)
  await verify(made.address, passphrase)
  await expect(verify(made.address)).rejects.toThrow(
    'This backup is encrypted: set BACKUP_PASSPHRASE',
  )
  await expect(verify(made.address, 'another passphrase')).rejects.toThrow(
    'The passphrase is not the one of this backup',
  )
  const { dataDir } = await restore(made.address, { BACKUP_PASSPHRASE: passphrase })
  const restored = await anInstallation({ dataDir })
  expect((await restored.signIn(MAYA)).user).toBeDefined()
  await restored.stop()
})

test('the archive is a tar with one entry for each part, and nothing else is left in the folder', async () => {
  const names = await readdir(folder)
  expect(
    names.every((name) => /^backup-\d{8}T\d{6}Z-[0-9a-f]{8}\.tar(\.sealed)?$/.test(name)),
  ).toBe(true)
})

test('an installation that is stopped is backed up too, and stays stopped', async () => {
  const first = await backUpInstallation(team.settings, place, options)
  const { settings } = await restore(first.address)
  const made = await backUpInstallation(settings, place, options)
  expect(made.manifest).toEqual(first.manifest)
  await expect(stat(join(settings.DATA_DIR, 'postgres/postmaster.pid'))).rejects.toThrow('ENOENT')
})

test('a backup that somebody makes by hand shows on the dashboard, one before an update does not', async () => {
  const known = () =>
    team.sql("select is_on, problems from private.system_state where part = 'backup'")
  await backUpInstallation(team.settings, place, options)
  expect(await known()).toEqual([])
  await backUpInstallation(team.settings, place, { ...options, tellsAdmins: true })
  expect(await known()).toEqual([{ is_on: true, problems: 0 }])
})

test('two backups at once are refused', async () => {
  let second: Promise<unknown> | null = null
  const nested: Place = {
    ...place,
    async create(name) {
      second = backUpInstallation(team.settings, place, options)
      await second.catch(() => undefined)
      return place.create(name)
    },
  }
  await backUpInstallation(team.settings, nested, options)
  await expect(second).rejects.toThrow('Another backup is running; try again when it is done.')
})

test('a folder or a database without an installation is one clear sentence', async () => {
  const settings = await settingsFor(await anEmptyFolder())
  await expect(backUpInstallation(settings, place, options)).rejects.toThrow(
    new BackupError(
      `There is no installation in ${settings.DATA_DIR}: set DATA_DIR to its folder, or DATABASE_URL to its database.`,
    ),
  )
})

test('where only the demo was run, a folder without an installation names the demo’s', async () => {
  const checkout = await anEmptyFolder()
  const demo = join(checkout, '.data-demo')
  await symlink(team.dataDir, demo)
  const settings = await settingsFor(join(checkout, '.data'))
  await expect(backUpInstallation(settings, place, options)).rejects.toThrow(
    `For the demo's, put DATA_DIR=${relative('', demo)} before the command.`,
  )
})
