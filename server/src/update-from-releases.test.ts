// What an owner's update does: the folder of an earlier version, filled, started by this one. Every release gets its turn, from its
// tag, and so do a few of the states that `supabase/migrations` has been in; a made-up next version takes the turn of this one.
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keepArchive } from 'supabase-project/functions/archive/keep-archive.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadInstallationKeys } from 'backend/http/installation-keys.ts'
import { startEmbeddedCluster } from 'backend/postgres/embedded-cluster.ts'
import { updateDatabase } from 'backend/postgres/update-database.ts'
import { anInstallation, settingsFor, sqlIn } from '../testing/an-installation.ts'
import { copyDemo } from '../testing/copy-demo.ts'
import { archiveCommand, INTACT } from './archive/archive-command.ts'
import { NAMES } from './backup/archive/contents.ts'
import { openDatabaseOf } from './backup/installation.ts'
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

const SCHEMA = ['backend/platform', 'supabase/migrations']

/** Those whose database this version would change. */
function earlierReleases(): string[] {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: PROJECT, encoding: 'utf8' })
  // Without a clone there are none: a copy of the files does not know them.
  const tags = git('tag', '--list', 'v*', '--merged', 'HEAD').stdout ?? ''
  return tags
    .split('\n')
    .filter((tag) => tag && git('diff', '--quiet', tag, '--', ...SCHEMA).status !== 0)
}

const migrations = readdirSync(projectFiles.migrations).sort()
/** By the last migration they have: the baseline, one from the middle, and the one before the latest. */
const earlierStates = [1, Math.ceil(migrations.length / 2), migrations.length - 1].flatMap(
  (count, index, all) => (all.indexOf(count) === index && migrations[count - 1]) || [],
)

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

// Filled by this version on the tables of that one, which it serves well enough for signing in, files, messages and seals.
type Earlier = { schema: SchemaFolders; seed: string }

function releaseOf(tag: string) {
  return async (): Promise<Earlier> => {
    const old = join(root, 'old')
    await mkdir(old)
    const tar = execFileSync('git', ['archive', tag, ...SCHEMA, 'supabase/seed'], {
      cwd: PROJECT,
      maxBuffer: 1e9,
    })
    execFileSync('tar', ['x'], { cwd: old, input: tar })
    const [platform = '', folder = ''] = SCHEMA.map((path) => join(old, path))
    const seed = join(old, 'supabase/seed/demo-team.sql')
    return { schema: { platform, migrations: folder }, seed }
  }
}

function stateOf(last: string) {
  return async (): Promise<Earlier> => {
    const folder = join(root, 'old')
    await mkdir(folder)
    for (const name of migrations.filter((each) => each <= last))
      await cp(join(projectFiles.migrations, name), join(folder, name))
    const schema = { platform: projectFiles.platform, migrations: folder }
    return { schema, seed: projectFiles.demoTeam }
  }
}

/** As people leave it: the demo team, a session, a file, an image in a chat, and an archive with a seal. */
async function fill({ schema, seed }: Earlier) {
  const team = await anInstallation({ dataDir, demo: false, schema })
  const { url } = await openDatabaseOf(team.settings)
  await loadDemoTeam(url, seed)
  const session = await team.signIn()
  const bytes = randomBytes(1000)
  await team.upload('before.png', bytes)
  const [row] = await team.sql<{ chat: string }>('select private.mandatory_chat_id() as chat')
  const id = randomUUID()
  const path = `${row?.chat}/${id}.png`
  await team.upload(path, bytes, 'chat-images', session.access_token)
  await team.sql(
    `insert into public.chat_messages (id, chat_id, sender_id, message, attachment)
     values ($1, $2, $3, 'A photo ñ 🚀', $4)`,
    [id, row?.chat, session.user.id, { path, width: 1, height: 1 }],
  )
  // What is under way at one look is sealed at the next.
  await expect
    .poll(
      async () => {
        await keepArchive({ projectUrl: team.url, secretKey: team.secretKey, fetch })
        return team.sql(
          `select to_seq >= (select max(seq) from archive.records) and isempty(open) as is_done
           from archive.seals order by number desc limit 1`,
        )
      },
      { timeout: 60_000 },
    )
    .toEqual([{ is_done: true }])
  const [seal] = await team.sql<{ head: string }>(
    `select encode(hash, 'hex') as head from archive.seals order by number desc limit 1`,
  )
  const rows = { members: await team.sql(MEMBERS), messages: await team.sql(MESSAGES) }
  await team.stop()
  return { session, path, bytes, head: seal?.head ?? '', ...rows }
}

const MEMBERS =
  'select id, email, first_name, last_name, role, status from private.members order by id'
const MESSAGES =
  'select id, chat_id, sender_id, message, attachment, sent_at from public.chat_messages order by id'

const earlier = [
  ...earlierReleases().map((tag) => ({ from: `release ${tag}`, make: releaseOf(tag) })),
  ...earlierStates.map((last) => ({ from: `the state of ${last}`, make: stateOf(last) })),
]
if (earlier.length === 0) test.skip('an update: there is one baseline, and no release')

describe.each(earlier)('from $from', ({ make }) => {
  test('a backup is made first, and members, messages, files, sessions and the archive are all there', async () => {
    const old = await make()
    const { session, path, bytes, head, members, messages } = await fill(old)
    expect(messages.length).toBeGreaterThan(10)
    expect(await backups()).toEqual([])

    const team = await anInstallation({ dataDir, demo: false })
    try {
      const made = await backups()
      expect(made).toHaveLength(1)
      const archive = join(dataDir, 'backups', made[0] ?? '')
      const header = execFileSync('tar', ['xOf', archive, NAMES.header], { encoding: 'utf8' })
      const versions = (await readdir(old.schema.migrations)).map((name) => name.slice(0, 14))
      expect(JSON.parse(header)).toMatchObject({ migrations: versions.sort() })

      expect(await team.sql(MEMBERS)).toEqual(members)
      expect(await team.sql(MESSAGES)).toEqual(messages)
      expect(await team.download('before.png')).toEqual(bytes)
      expect(await team.download(path, 'chat-images')).toEqual(bytes)
      const token = session.access_token
      expect((await team.send('/auth/v1/user', { token })).status).toBe(200)
      expect((await team.refresh(session.refresh_token)).user.id).toBe(session.user.id)

      const lines: string[] = []
      const exitCode = await archiveCommand(['verify', '--head', head], {
        settings: team.settings,
        print: (line) => void lines.push(line),
        signal: new AbortController().signal,
      })
      expect([exitCode, lines[0]]).toEqual([
        INTACT,
        expect.stringMatching(/^The archive is intact: .* and 1 file\.$/),
      ])
    } finally {
      await team.stop()
    }
  })
})

describe('to a next version', () => {
  const change = `
    alter table public.chats add column next_column text;
    update public.chats set next_column = 'filled';`

  test('a backup is made first, without files, and brings the database back as it was', async () => {
    await copyDemo(dataDir, settingsFor)
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
    await copyDemo(dataDir, settingsFor)
    const settings = await settingsFor(dataDir)
    for (let start = 0; start < 2; start++)
      await (await startServer(settings, { withoutWebApp: true })).close()
    expect(await backups()).toEqual([])
  })

  test('a failed update leaves all as it was, and the version before starts again', async () => {
    await copyDemo(dataDir, settingsFor)
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
    await copyDemo(dataDir, settingsFor)
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
