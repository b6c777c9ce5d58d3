import { randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  aFolder,
  anInstallation,
  settingsFor,
  sqlIn,
  type Installation,
} from '../../../testing/an-installation.ts'
import { projectFiles } from '../../project-files.ts'
import { startServer } from '../../start-server.ts'
import { MAX_JSON_BYTES, NAMES, type Header } from '../archive/contents.ts'
import { readBody, readTar } from '../archive/tar-reader.ts'
import { createTarWriter } from '../archive/tar-writer.ts'
import { backUpInstallation, type MadeBackup } from '../make-backup.ts'
import { createFolderPlace, readArchive } from '../places/folder-place.ts'
import { silent } from '../progress.ts'
import { verifyBackup } from '../verify-backup.ts'
import { restoreInstallation } from './restore-installation.ts'

// Each starts Postgres several times, which takes a loaded machine seconds.
vi.setConfig({ testTimeout: 90_000 })

const options = { progress: silent }
let team: Installation
let folder: string
let made: MadeBackup
const toRemove: string[] = []

async function anEmptyFolder() {
  const dataDir = await aFolder()
  toRemove.push(dataDir)
  return dataDir
}

beforeAll(async () => {
  team = await anInstallation()
  for (let index = 0; index < 5; index++) await team.upload(`${index}.png`, randomBytes(300_000))
  folder = await anEmptyFolder()
  made = await backUpInstallation(team.settings, createFolderPlace(folder), options)
})
afterAll(async () => {
  await team?.close()
  for (const each of toRemove) await rm(each, { recursive: true, force: true })
})

describe('a restore changes nothing', () => {
  test('in a folder that is not empty', async () => {
    const dataDir = await anEmptyFolder()
    await writeFile(join(dataDir, 'somebody’s notes'), 'x')
    await expect(
      restoreInstallation(readArchive(made.address), await settingsFor(dataDir), options),
    ).rejects.toThrow(`${dataDir} is not empty. A restore overwrites nothing`)
    expect(await readdir(dataDir)).toEqual(['somebody’s notes'])
  })

  test('in an installation, running or not', async () => {
    const before = await team.sql('select count(*) from public.chat_messages')
    await expect(
      restoreInstallation(readArchive(made.address), team.settings, options),
    ).rejects.toThrow('is not empty')
    expect(await team.sql('select count(*) from public.chat_messages')).toEqual(before)
  })

  test('in the folder of another installation that has its database elsewhere', async () => {
    const dataDir = await anEmptyFolder()
    await writeFile(join(dataDir, 'keys.json'), '{}')
    await expect(
      restoreInstallation(readArchive(made.address), await settingsFor(dataDir), options),
    ).rejects.toThrow('is not empty')
    expect(await readdir(dataDir)).toEqual(['keys.json'])
  })

  test('from a file that is no backup, or that is not there', async () => {
    const dataDir = await anEmptyFolder()
    const settings = await settingsFor(dataDir)
    const file = join(folder, 'a-picture.png')
    await writeFile(file, randomBytes(2000))
    await expect(restoreInstallation(readArchive(file), settings, options)).rejects.toThrow(
      'This file is no backup of Rally.',
    )
    await rm(file)
    await expect(restoreInstallation(readArchive(file), settings, options)).rejects.toThrow(
      `There is no file ${file}.`,
    )
    expect(await readdir(dataDir)).toEqual([])
  })

  test('from a backup of a later version', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'no-migrations-'))
    toRemove.push(empty)
    await writeFile(join(empty, '20200101000000_first.sql'), '')
    const dataDir = await anEmptyFolder()
    const folders = { platform: projectFiles.platform, migrations: empty }
    const settings = await settingsFor(dataDir)
    await expect(
      restoreInstallation(readArchive(made.address), settings, { ...options, folders }),
    ).rejects.toThrow(
      /^This backup was made by a later version, Rally [\d.]+. Update first, then restore it. Nothing was changed.$/,
    )
    expect(await readdir(dataDir)).toEqual([])
  })
})

describe('a backup that somebody made up is refused', () => {
  async function* madeUp(change: object, rows: [string, Buffer][]) {
    const header = await headerOf(made.address)
    const written: Buffer[] = []
    const tar = createTarWriter({ write: async (bytes) => void written.push(Buffer.from(bytes)) })
    await tar.add(NAMES.header, Buffer.from(JSON.stringify({ ...header, ...change })))
    for (const [table, text] of rows) await tar.add(`data/${table}/000001.gz`, gzipSync(text))
    await tar.finish()
    yield Buffer.concat(written)
  }
  async function headerOf(path: string): Promise<Header | undefined> {
    for await (const entry of readTar(readArchive(path)))
      return JSON.parse((await readBody(entry, MAX_JSON_BYTES)).toString()) as Header
    return undefined
  }

  test.each([
    'pg_catalog.pg_proc',
    'pg_catalog.pg_authid',
    'information_schema.sql_features',
    'storage.migrations',
    'auth.schema_migrations',
    'cron.job',
  ])('with rows for %s, by a restore and by --verify', async (table) => {
    const forged = () =>
      madeUp({ source: 'project', platform: [], tables: [{ name: table, columns: ['oid'] }] }, [
        [table, Buffer.from('1\n')],
      ])
    const sentence = `This backup has a table ${table}, which is not known here. It cannot be restored. Nothing was changed.`
    await expect(verifyBackup(forged(), { ...options, passphrase: undefined })).rejects.toThrow(
      sentence,
    )
    const settings = await settingsFor(await anEmptyFolder())
    await expect(restoreInstallation(forged(), settings, options)).rejects.toThrow(sentence)
  })

  test('if it is not encrypted where a passphrase is set', async () => {
    const dataDir = await anEmptyFolder()
    const settings = await settingsFor(dataDir, { BACKUP_PASSPHRASE: 'a long enough passphrase' })
    await expect(restoreInstallation(readArchive(made.address), settings, options)).rejects.toThrow(
      'This backup is not encrypted, but BACKUP_PASSPHRASE is set',
    )
    expect(await readdir(dataDir)).toEqual([])
  })
})

describe('damage is found by a restore and by --verify', () => {
  const damages: [string, (bytes: Buffer) => Buffer, RegExp][] = [
    ['cut off in the files', (bytes) => bytes.subarray(0, bytes.length - 400_000), /in the middle/],
    [
      'without its last entry',
      (bytes) => bytes.subarray(0, bytes.indexOf('manifest.json')),
      /in the middle/,
    ],
    [
      'with one changed bit in a file',
      (bytes) => flip(bytes, bytes.indexOf('files/') + 2000),
      /file .* was changed/,
    ],
    [
      'with one changed bit in a table',
      (bytes) => flip(bytes, bytes.indexOf('data/public.chat_messages') + 600),
      /was changed/,
    ],
    [
      'without the rows of a table',
      (bytes) => without(bytes, 'data/public.goals/'),
      /rows of public.goals are missing/,
    ],
    ['without a file', (bytes) => without(bytes, 'files/'), /file .* is missing/],
  ]

  test.each(damages)('%s', async (_name, damage, sentence) => {
    const path = join(folder, 'damaged.tar')
    await writeFile(path, damage(await readFile(made.address)))
    await expect(
      verifyBackup(readArchive(path), { ...options, passphrase: undefined }),
    ).rejects.toThrow(sentence)
    const dataDir = await anEmptyFolder()
    const settings = await settingsFor(dataDir)
    await expect(restoreInstallation(readArchive(path), settings, options)).rejects.toThrow(
      sentence,
    )
    await rm(path)
    // The sound backup can be restored into the same folder.
    await restoreInstallation(readArchive(made.address), settings, options)
  })

  function flip(bytes: Buffer, at: number): Buffer {
    bytes[at] = (bytes[at] ?? 0) ^ 4
    return bytes
  }
  function without(bytes: Buffer, name: string): Buffer {
    const start = bytes.indexOf(name)
    const size = parseInt(bytes.toString('latin1', start + 124, start + 135), 8)
    const end = start + 512 + Math.ceil(size / 512) * 512
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)])
  }
})

describe('an interrupted restore', () => {
  async function* interrupted(after: number) {
    let read = 0
    for await (const chunk of readArchive(made.address)) {
      const rest = after - read
      if (chunk.length > rest) {
        yield chunk.subarray(0, rest)
        throw new Error('pulled the plug')
      }
      read += chunk.length
      yield chunk
    }
  }

  test.each(['rows', 'files'])(
    'in the %s says so at the start, and can be run again',
    async (where) => {
      const bytes = await readFile(made.address)
      const after = bytes.indexOf(where === 'rows' ? 'data/public.goals/' : 'files/') + 100_000
      const dataDir = await anEmptyFolder()
      const settings = await settingsFor(dataDir)
      await expect(restoreInstallation(interrupted(after), settings, options)).rejects.toThrow(
        'pulled the plug',
      )
      const unfinished = 'A restore into this installation was not finished. Run it again'
      await expect(startServer(settings, { withoutWebApp: true })).rejects.toThrow(unfinished)
      await restoreInstallation(readArchive(made.address), settings, options)
      const restored = await anInstallation({ dataDir })
      expect((await restored.signIn()).user).toBeDefined()
      expect(await restored.download('4.png')).toEqual(await team.download('4.png'))
      await restored.stop()
    },
  )

  test('is not continued with another backup', async () => {
    const other = await backUpInstallation(team.settings, createFolderPlace(folder), options)
    const bytes = await readFile(made.address)
    const settings = await settingsFor(await anEmptyFolder())
    const after = bytes.indexOf('files/') + 100_000
    await expect(restoreInstallation(interrupted(after), settings, options)).rejects.toThrow()
    await expect(
      restoreInstallation(readArchive(other.address), settings, options),
    ).rejects.toThrow('holds an unfinished restore of another backup, made on')
  })
})

test('a backup of an earlier version is restored and brought to this one', async () => {
  const migrations = await mkdtemp(join(tmpdir(), 'later-migrations-'))
  toRemove.push(migrations)
  await cp(projectFiles.migrations, migrations, { recursive: true })
  const later = `
    alter table public.chats add column later_column text;
    update public.chats set later_column = 'filled by the update ' || name;`
  await writeFile(join(migrations, '29990101000000_later.sql'), later)
  const settings = await settingsFor(await anEmptyFolder())
  const folders = { platform: projectFiles.platform, migrations }
  await restoreInstallation(readArchive(made.address), settings, { ...options, folders })
  const [row] = await sqlIn<{ later_column: string }>(
    settings,
    `select later_column from public.chats where type = 'mandatory'`,
  )
  expect(row?.later_column).toBe('filled by the update Rally Chat')
})

test('the same installation takes its database back and keeps its files', async () => {
  const first = await anEmptyFolder()
  const settings = await settingsFor(first)
  await restoreInstallation(readArchive(made.address), settings, options)
  await rm(join(first, 'postgres'), { recursive: true })
  await mkdir(join(first, 'storage'), { recursive: true })
  await restoreInstallation(readArchive(made.address), settings, options)
  const restored = await anInstallation({ dataDir: first })
  expect(await restored.download('0.png')).toEqual(await team.download('0.png'))
  await restored.stop()
})
