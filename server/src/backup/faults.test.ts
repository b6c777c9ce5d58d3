import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  test,
  vi,
} from 'vitest'
import { startS3Service, type S3Service } from 'backend/testing/s3-service.ts'
import {
  aFolder,
  anInstallation,
  settingsFor,
  type Installation,
} from '../../testing/an-installation.ts'
import { connect } from './database/snapshot.ts'
import { openDatabaseOf } from './installation.ts'
import { backUpInstallation } from './make-backup.ts'
import { createFolderPlace, readArchive } from './places/folder-place.ts'
import type { Place } from './places/place.ts'
import { openPlace } from './places/open-place.ts'
import { silent } from './progress.ts'
import { restoreInstallation } from './restore/restore-installation.ts'
import { verifyBackup } from './verify-backup.ts'

// Each starts processes and Postgres, which takes a loaded machine seconds.
vi.setConfig({ testTimeout: 90_000, expect: { poll: { timeout: 30_000 } } })

const options = { progress: silent }
let team: Installation
let folder: string

beforeAll(async () => {
  team = await anInstallation()
  for (let index = 0; index < 4; index++) await team.upload(`${index}.png`, randomBytes(1_000_000))
})
afterAll(() => team?.close())
beforeEach(async () => {
  folder = await aFolder()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function isWellAndCanBeBackedUp() {
  expect((await team.signIn()).user).toBeDefined()
  const made = await backUpInstallation(team.settings, createFolderPlace(folder), options)
  expect(await readdir(folder)).toEqual([made.name])
  await verifyBackup(readArchive(made.address), { ...options, passphrase: undefined })
}

/** A place that does something once, in the middle of the files. */
function interruptedBy(happens: () => Promise<void> | void): Place {
  const place = createFolderPlace(folder)
  return {
    ...place,
    async create(name) {
      const draft = await place.create(name)
      let written = 0
      let hasHappened = false
      return {
        ...draft,
        async write(bytes) {
          written += bytes.length
          if (written > 1_500_000 && !hasHappened) {
            hasHappened = true
            await happens()
          }
          await draft.write(bytes)
        },
      }
    },
  }
}

describe.skipIf(process.getuid?.() !== 0)(
  'on a disk that is full (a file system of 2 MB; needs root)',
  () => {
    let disk: string
    beforeEach(async () => {
      disk = await mkdtemp(join(tmpdir(), 'small-disk-'))
      const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk])
      if (mounted.status !== 0) throw new Error(mounted.stderr.toString())
    })
    afterEach(async () => {
      spawnSync('umount', [disk])
      await rm(disk, { recursive: true, force: true })
    })

    test('a backup fails with one clear sentence and frees what it took; the installation goes on', async () => {
      await expect(
        backUpInstallation(team.settings, createFolderPlace(disk), options),
      ).rejects.toThrow(`There is no room left in ${disk}.`)
      expect(await readdir(disk)).toEqual([])
      const { bavail, blocks } = await statfs(disk)
      expect(bavail).toBe(blocks)
      await isWellAndCanBeBackedUp()
    })

    test('a backup onto the disk of the database leaves room for it', async () => {
      const place = createFolderPlace(disk, { dataDir: disk })
      await expect(backUpInstallation(team.settings, place, options)).rejects.toThrow(
        `There is too little room in ${disk}: less than 512 MB would be left to the database`,
      )
      expect(await readdir(disk)).toEqual([])
    })

    test('a restore stops before the disk is full, however much the archive holds', async () => {
      const size = spawnSync('mount', ['-o', 'remount,size=500m', disk])
      expect(size.status).toBe(0)
      const images = Array.from({ length: 8 }, (_, n) => `large-${n}.png`)
      for (const name of images) await team.upload(name, randomBytes(9 * 1024 * 1024))
      const made = await backUpInstallation(team.settings, createFolderPlace(folder), options)
      const settings = await settingsFor(join(disk, 'data'))
      await expect(
        restoreInstallation(readArchive(made.address), settings, options),
      ).rejects.toThrow(`There is too little room in ${join(disk, 'data')}`)
      for (const name of images) await team.remove(name)
    })

    test('a restore fails and says so, and verifying says what there is no room for', async () => {
      const made = await backUpInstallation(team.settings, createFolderPlace(folder), options)
      const settings = await settingsFor(join(disk, 'data'))
      await expect(
        restoreInstallation(readArchive(made.address), settings, options),
      ).rejects.toThrow()
      const run = spawnSync(
        process.execPath,
        [inject('programs').maintenance, 'backup', '--verify', made.address],
        { env: { ...process.env, TMPDIR: disk }, encoding: 'utf8' },
      )
      expect([run.status, run.stderr]).toEqual([1, expect.stringMatching(/room|No space left/)])
    })
  },
)

test('when Postgres is killed, the backup fails, and the next one is made', async () => {
  const pid = Number(
    (await readFile(join(team.dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0],
  )
  const place = interruptedBy(async () => {
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => isAlive(pid)).toBe(false)
  })
  await expect(backUpInstallation(team.settings, place, options)).rejects.toThrow(
    'The backup failed: ',
  )
  expect(await readdir(folder)).toEqual([])
  await expect
    .poll(() =>
      team.signIn().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  await isWellAndCanBeBackedUp()
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('a backup that a person stops leaves nothing behind', async () => {
  const stopping = new AbortController()
  const place = interruptedBy(() => stopping.abort(new Error('stopped by hand')))
  await expect(
    backUpInstallation(team.settings, place, { ...options, signal: stopping.signal }),
  ).rejects.toThrow('stopped by hand')
  expect(await readdir(folder)).toEqual([])
  await isWellAndCanBeBackedUp()
})

test('what a backup leaves that was killed with kill -9 is removed by the next one', async () => {
  const args = [inject('programs').maintenance, 'backup', folder]
  const { url } = await openDatabaseOf(team.settings)
  const client = await connect(url)
  await client.query('begin; lock table public.goals in access exclusive mode')
  const child = spawn(process.execPath, args, { env: { ...process.env, DATA_DIR: team.dataDir } })
  await expect.poll(async () => (await readdir(folder)).join()).toMatch(/\.partial$/)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await client.end()
  expect(await readdir(folder)).toHaveLength(1)
  await expect
    .poll(() =>
      isWellAndCanBeBackedUp().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
})

test('when the bucket goes away in the middle, the backup fails, none is left, and the next one is made', async () => {
  const service = await startS3Service()
  const { endpoint, region, accessKeyId, secretAccessKey } = service.settings
  const settings = await settingsFor(team.dataDir, {
    BACKUP_S3_ENDPOINT: endpoint,
    BACKUP_S3_REGION: region,
    BACKUP_S3_ACCESS_KEY_ID: accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey,
  })
  // A backup of several parts.
  const images = ['large-1.png', 'large-2.png']
  for (const name of images) await team.upload(name, randomBytes(9 * 1024 * 1024))
  const place = openPlace('s3://team/backups', settings)
  // To begin, and for the first part.
  service.goAwayAfter(2)
  await expect(backUpInstallation(settings, place, options)).rejects.toThrow(
    `The store of backups at ${endpoint} cannot be reached.`,
  )
  expect([...service.uploads.values()].map((parts) => [...parts.keys()])).toEqual([[1]])
  expect([...service.objects.keys()]).toEqual([])

  service.comeBack()
  const made = await backUpInstallation(settings, place, options)
  expect(made.address).toBe(`s3://team/backups/${made.name}`)
  expect(await place.list()).toEqual([made.name])
  await verifyBackup(place.open(made.name), { ...options, passphrase: undefined })
  for (const name of images) await team.remove(name)
  await service.close()
})

describe('when the store of the files goes away', () => {
  let service: S3Service
  let elsewhere: Installation
  beforeAll(async () => {
    service = await startS3Service()
    const { endpoint, region, bucket, accessKeyId, secretAccessKey } = service.settings
    const environment = {
      S3_ENDPOINT: endpoint,
      S3_REGION: region,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    }
    elsewhere = await anInstallation({ environment })
  })
  afterAll(async () => {
    await elsewhere?.close()
    await service?.close()
  })
  afterEach(() => service.comeBack())

  test.each([
    // Small files are read ahead of their turn, larger ones are passed on while they come.
    ['a small file', 100_000],
    ['a large file', 3_000_000],
  ])(
    'in the middle of %s, the backup fails with one sentence, none is left, and the next one is made',
    async (_what, size) => {
      const names = ['first', 'second', 'third'].map((name) => `${name}-${size}.png`)
      for (const name of names) await elsewhere.upload(name, randomBytes(size))
      const place = createFolderPlace(folder)
      service.goAwayAfter(1)
      await expect(backUpInstallation(elsewhere.settings, place, options)).rejects.toThrow(
        /^The connection to the file store broke off\.$/,
      )
      expect(await readdir(folder)).toEqual([])

      service.comeBack()
      const made = await backUpInstallation(elsewhere.settings, place, options)
      expect(await readdir(folder)).toEqual([made.name])
      expect(made.manifest.files).toMatchObject({ count: names.length, missing: [] })
      await verifyBackup(place.open(made.name), { ...options, passphrase: undefined })
      for (const name of names) await elsewhere.remove(name)
    },
  )
})

test('a clock that was set back makes no second backup of the same name, and removes none', async () => {
  const now = () => new Date('2026-03-01T03:00:00Z')
  const place = createFolderPlace(folder)
  const first = await backUpInstallation(team.settings, place, { ...options, now })
  const second = await backUpInstallation(team.settings, place, { ...options, now })
  expect([first.name, second.name]).toEqual([
    expect.stringMatching(/^backup-20260301T030000Z-/),
    expect.stringMatching(/^backup-20260301T030001Z-/),
  ])
  expect(await place.list()).toEqual([first.name, second.name])
})
