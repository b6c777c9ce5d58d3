// The commands as a person runs them: what they say and how they end.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { aFolder, anInstallation, type Installation } from '../../testing/an-installation.ts'
import { openDatabaseOf } from './installation.ts'
import { backUpInstallation } from './make-backup.ts'
import { createFolderPlace } from './places/folder-place.ts'
import { silent } from './progress.ts'

// Each starts processes and some start Postgres, which takes a loaded machine seconds.
vi.setConfig({ testTimeout: 90_000, expect: { poll: { timeout: 60_000 } } })

const PASSPHRASE = 'a long enough passphrase'
const options = { progress: silent }
const toRemove: string[] = []
let team: Installation
let folder: string
let backup: string
let sealed: string

async function anEmptyFolder() {
  const made = await aFolder()
  toRemove.push(made)
  return made
}

beforeAll(async () => {
  team = await anInstallation()
  await team.upload('one.png', randomBytes(300_000))
  folder = await anEmptyFolder()
  const place = createFolderPlace(folder)
  backup = (await backUpInstallation(team.settings, place, options)).address
  const settings = { ...team.settings, BACKUP_PASSPHRASE: PASSPHRASE }
  sealed = (await backUpInstallation(settings, place, options)).address
})
afterAll(async () => {
  await team?.close()
  for (const each of toRemove) await rm(each, { recursive: true, force: true })
})

type Environment = Record<string, string>

const OVERRIDES = '-dac_override,-dac_read_search'
/** Starts a program without root's right to read and write what belongs to others. */
const AS_A_USER = ['setpriv', `--bounding-set=${OVERRIDES}`, `--inh-caps=${OVERRIDES}`]

/** In a process group of its own, as a terminal starts it. */
function start(args: string[], environment: Environment = {}, by: string[] = []) {
  const [program, ...rest] = [...by, process.execPath, inject('programs').maintenance]
  const child = spawn(program, [...rest, ...args], {
    env: { ...process.env, DATA_DIR: team.dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    timeout: 60_000,
    killSignal: 'SIGKILL',
  })
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]).then(
    ([[code], said, complaint]) => ({
      ...{ code: code as number | null, said },
      // On a loaded machine it has the time to say how far it is.
      complaint: complaint.replaceAll(/^\d+ s: .*\n/gm, ''),
    }),
  )
  return { ended, pressCtrlC: () => process.kill(-(child.pid ?? 0), 'SIGINT') }
}

async function complaintOf(args: string[], environment?: Environment): Promise<string> {
  const { code, complaint } = await start(args, environment).ended
  expect(code).toBe(1)
  return complaint.trim()
}

describe('a file that is no backup is called that, by a restore and by --verify', () => {
  const others: [string, Buffer][] = [
    ['a short text', Buffer.from('rally.example.com\n')],
    ['an image', randomBytes(2000)],
    ['an empty file', Buffer.alloc(0)],
  ]

  test.each(others)('%s', async (_name, content) => {
    const file = join(folder, 'something else')
    await writeFile(file, content)
    const sentence = `${file} is no backup of Rally.`
    const environment = { DATA_DIR: join(await anEmptyFolder(), 'new') }
    expect(await complaintOf(['restore', file], environment)).toBe(sentence)
    expect(await complaintOf(['backup', '--verify', file])).toBe(sentence)
    const withPassphrase = { BACKUP_PASSPHRASE: PASSPHRASE }
    expect(await complaintOf(['backup', '--verify', file], withPassphrase)).toBe(sentence)
    expect(existsSync(environment.DATA_DIR)).toBe(false)
  })

  test.each([5, 100, 600])('the first %i bytes of one are damaged', async (length) => {
    const file = join(folder, 'cut off')
    await writeFile(file, (await readFile(backup)).subarray(0, length))
    expect(await complaintOf(['backup', '--verify', file])).toBe(
      'This backup is damaged: it ends in the middle. Nothing of it can be trusted; use another one.',
    )
  })

  test('a folder', async () => {
    const sentence = `${folder} is a folder: name the backup in it.`
    expect(await complaintOf(['backup', '--verify', folder])).toBe(sentence)
    const environment = { DATA_DIR: await anEmptyFolder() }
    expect(await complaintOf(['restore', folder], environment)).toBe(sentence)
  })
})

describe('a restore that did not come to its end says what to do next', () => {
  test('stopped by Ctrl-C while Postgres makes its folder, it goes on with the same backup and refuses another', async () => {
    const dataDir = await anEmptyFolder()
    const environment = { DATA_DIR: dataDir }
    const first = start(['restore', backup], environment)
    await expect.poll(() => existsSync(join(dataDir, 'postgres.draft/PG_VERSION'))).toBe(true)
    first.pressCtrlC()
    expect(await first.ended).toEqual({
      code: 130,
      said: '',
      complaint: `Stopped before the end. Run the same command again to go on, or delete ${dataDir} to begin anew.\n`,
    })
    const other = { ...environment, BACKUP_PASSPHRASE: PASSPHRASE }
    expect(await complaintOf(['restore', sealed], other)).toMatch(
      new RegExp(
        `^${dataDir} holds an unfinished restore of another backup, made on .*Z. Run that one again, or delete ${dataDir} to ` +
          'restore this one. Nothing was changed.$',
      ),
    )
    expect(await start(['restore', backup], environment).ended).toMatchObject({
      code: 0,
      said: expect.stringContaining(`into ${dataDir}, as they were on`) as string,
    })
  })

  test('of a damaged backup, the half of it has to go before another one is restored', async () => {
    const file = join(folder, 'cut off')
    const bytes = await readFile(backup)
    await writeFile(file, bytes.subarray(0, bytes.length - 50_000))
    const dataDir = await anEmptyFolder()
    expect(await complaintOf(['restore', file], { DATA_DIR: dataDir })).toBe(
      'This backup is damaged: it ends in the middle. Nothing of it can be trusted; use another one. ' +
        `First delete ${dataDir}.`,
    )
    await rm(dataDir, { recursive: true })
    expect((await start(['restore', backup], { DATA_DIR: dataDir }).ended).code).toBe(0)
  })

  test('an installation that takes its database back is never told to delete its files', async () => {
    const dataDir = await anEmptyFolder()
    await copyFile(join(team.dataDir, 'keys.json'), join(dataDir, 'keys.json'))
    const environment = { DATA_DIR: dataDir }
    const stopped = start(['restore', backup], environment)
    await expect.poll(() => existsSync(join(dataDir, 'postgres.draft/PG_VERSION'))).toBe(true)
    stopped.pressCtrlC()
    expect((await stopped.ended).complaint).toBe(
      'Stopped before the end. Run the same command again to go on, or set DATA_DIR to a new folder to begin anew.\n',
    )
    const other = { ...environment, BACKUP_PASSPHRASE: PASSPHRASE }
    expect(await complaintOf(['restore', sealed], other)).toContain(
      'Run that one again, or set DATA_DIR to a new folder to restore this one.',
    )
  })
})

describe('where nothing can be written, the folder and the cause are named at once', () => {
  test.runIf(process.platform === 'linux')('below /proc, where no folder is made', async () => {
    const sentence =
      'Cannot write to /proc/nope: there is no such folder, and it cannot be made (ENOENT).'
    expect(await complaintOf(['backup', '/proc/nope'])).toContain('/proc')
    expect(await complaintOf(['restore', backup], { DATA_DIR: '/proc/nope' })).toBe(sentence)
    expect((await start(['archive', 'export', '/proc/nope']).ended).complaint.trim()).toBe(sentence)
  })

  test('at a file, and below one', async () => {
    expect(await complaintOf(['backup', backup])).toBe(
      `Cannot write to ${backup}: it, or what it is in, is no folder (ENOTDIR).`,
    )
    expect(await complaintOf(['backup', `${backup}/below`])).toBe(
      `Cannot write to ${backup}/below: it, or what it is in, is no folder (ENOTDIR).`,
    )
  })

  test.skipIf(process.getuid?.() !== 0)('on a disk that is read-only (needs root)', async () => {
    const disk = await mkdtemp(join(tmpdir(), 'read-only-disk-'))
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro,size=1m', 'tmpfs', disk])
    expect(mounted.stderr.toString()).toBe('')
    try {
      for (const place of [disk, join(disk, 'new')])
        expect(await complaintOf(['backup', place])).toBe(
          `Cannot write to ${place}: its disk is read-only (EROFS).`,
        )
    } finally {
      spawnSync('umount', [disk])
      await rm(disk, { recursive: true, force: true })
    }
  })

  // Root may write anywhere; without these capabilities it is a user like any other, who still reads what is its own.
  test('in a folder of somebody else', async () => {
    const isRoot = process.getuid?.() === 0
    const theirs = await anEmptyFolder()
    if (isRoot) await chown(theirs, 65_534, 65_534)
    await chmod(theirs, isRoot ? 0o700 : 0o500)
    const { url } = await openDatabaseOf(team.settings)
    const running = start(['backup', theirs], { DATABASE_URL: url }, isRoot ? AS_A_USER : [])
    expect((await running.ended).complaint.trim()).toBe(
      `Cannot write to ${theirs}: the user that runs this command has no permission (EACCES).`,
    )
  })
})

test('--verify asks for the passphrase before it writes anything', async () => {
  const environment = { TMPDIR: '/there/is/no/such/folder' }
  const verifying = ['backup', '--verify', sealed]
  expect(await complaintOf(verifying, environment)).toBe(
    'This backup is encrypted: set BACKUP_PASSPHRASE to the passphrase it was made with.',
  )
  const wrong = { ...environment, BACKUP_PASSPHRASE: 'another passphrase' }
  expect(await complaintOf(verifying, wrong)).toBe(
    'The passphrase is not the one of this backup, or its beginning is damaged.',
  )
  const right = { ...environment, BACKUP_PASSPHRASE: PASSPHRASE }
  expect(await complaintOf(verifying, right)).toBe(
    'Cannot write to /there/is/no/such/folder: there is no such folder, and it cannot be made (ENOENT).',
  )
})

test.each(['backup', 'restore'])('%s --help says how it is used', async (name) => {
  expect(await start([name, '--help']).ended).toEqual({
    code: 0,
    said: expect.stringMatching(new RegExp(`^Use: npm run ${name} -- F`)) as string,
    complaint: '',
  })
})
