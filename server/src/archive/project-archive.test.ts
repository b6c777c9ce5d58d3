// The archive of a Supabase project: its files are behind the storage API of the project.
import { randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import {
  anExportedArchive,
  verifyExport,
  type ExportedArchive,
} from '../../testing/an-exported-archive.ts'
import { settingsFor } from '../../testing/an-installation.ts'
import { startHostedProject, type HostedProject } from '../../testing/hosted-project.ts'
import { BackupError } from '../backup/archive/errors.ts'
import { backupCommand, restoreCommand } from '../backup/commands.ts'
import { archiveCommand, INTACT, NOT_INTACT } from './archive-command.ts'
import { NO_PROGRESS, type ExportState } from './export/export-state.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

const said: string[] = []
let scene: ExportedArchive
let project: HostedProject

beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    said.push(String(line))
    return true
  })
  scene = await anExportedArchive()
  for (const bytes of [1_000, 300_000]) await scene.sendImage(randomBytes(bytes))
  await scene.keep()
  const { signal } = new AbortController()
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  const { settings } = scene.team
  await backupCommand([await scene.anEmptyFolder()], { settings, signal, print })
  project = await startHostedProject()
  await restoreCommand(['--to', project.databaseUrl, lines[0] ?? ''], {
    settings: await settingsFor(await scene.anEmptyFolder(), project.environment),
    signal,
    print,
  })
})
afterEach(() => {
  said.length = 0
  Object.assign(project.state, { failing: 0, responses: Infinity, waiting: 0 })
})
afterAll(async () => {
  vi.restoreAllMocks()
  await project?.close()
  await scene?.close()
})

/** `npm run archive -- …` on a machine that has nothing but these settings. */
async function archive(
  args: string[],
  environment: Record<string, string> = project.environment,
  { signal } = new AbortController(),
) {
  const lines: string[] = []
  const exitCode = await archiveCommand(args, {
    settings: await settingsFor(await scene.anEmptyFolder(), {
      ...environment,
      DATABASE_URL: project.databaseUrl,
    }),
    print: (line) => void lines.push(line),
    signal,
  })
  return { exitCode, lines }
}

type Manifest = { attachments: string; missing_files: { missing: string; why: string }[] }
const manifestOf = async (at: string) =>
  JSON.parse(await readFile(join(at, 'manifest.json'), 'utf8')) as Manifest
const attachmentsOf = async (at: string) => (await readdir(join(at, 'attachments'))).toSorted()

/** An export whose storage goes away after its first file: none is read after it. */
async function anInterruptedExport() {
  const at = await scene.anEmptyFolder()
  // One asks whether the key is right, one is for the first file.
  project.state.responses = 2
  const stopping = new AbortController()
  const ended = archive(['export', at], project.environment, stopping)
  // Whoever takes it up expects how it ends.
  ended.catch(() => undefined)
  await Promise.race([vi.waitUntil(() => project.state.waiting > 0, { timeout: 60_000 }), ended])
  return { at, ended, stopping }
}

test('the export of a project has its files, and its archive is verified with them', async () => {
  const at = await scene.anEmptyFolder()
  await archive(['export', at])
  expect(await manifestOf(at)).toMatchObject({ attachments: 'included', missing_files: [] })
  expect(await attachmentsOf(at)).toHaveLength(3)
  expect(await attachmentsOf(at)).toContain(`${scene.image}.png`)
  expect(verifyExport(at)).toMatchObject({ status: 0 })
  expect(await archive(['verify'])).toEqual({
    exitCode: INTACT,
    lines: [
      expect.stringMatching(/ and 3 files\.$/),
      expect.stringMatching(/not sealed yet/),
      expect.stringMatching(/^It ends with seal/),
      expect.stringMatching(/^No noted head was compared/),
    ],
  })
})

test('without its address and key the export of a project has no files, and says how to include them', async () => {
  const at = await scene.anEmptyFolder()
  await archive(['export', at], {})
  expect(await manifestOf(at)).toMatchObject({ attachments: 'out of reach', missing_files: [] })
  expect(await readdir(at)).not.toContain('attachments')
  expect(said.join('')).toContain(
    'For an export with files, set SUPABASE_URL and SUPABASE_SECRET_KEY of the project.',
  )
  expect(verifyExport(at)).toMatchObject({ status: 0 })
  const { exitCode, lines } = await archive(['verify'], {})
  expect(exitCode).toBe(INTACT)
  expect(lines).toContain(
    'Files were not checked: set SUPABASE_URL and SUPABASE_SECRET_KEY of the project for that.',
  )
})

test('a wrong key is named before anything is written', async () => {
  const at = await scene.anEmptyFolder()
  const wrong = { ...project.environment, SUPABASE_SECRET_KEY: 'sb_publishable_x' }
  for (const args of [['export', at], ['verify']])
    await expect(archive(args, wrong)).rejects.toThrow('refuses SUPABASE_SECRET_KEY')
  expect(await readdir(at)).toEqual([])
})

test('a storage that is busy is asked again', async () => {
  const at = await scene.anEmptyFolder()
  project.state.failing = 2
  await archive(['export', at])
  expect(await manifestOf(at)).toMatchObject({ missing_files: [] })
})

test('a file that the project does not have is listed as missing, and named by verifying', async () => {
  const at = await scene.anEmptyFolder()
  const [file] = await project.sql<{ name: string; version: string }>(
    `select name, version from storage.objects where bucket_id = 'chat-images' order by name limit 1`,
  )
  const as = (version?: string) =>
    project.sql(
      `begin; set local session_replication_role = replica;
       update storage.objects set version = '${version}' where name = '${file?.name}'; commit`,
    )
  await as(crypto.randomUUID())
  await archive(['export', at])
  const { exitCode, lines } = await archive(['verify'])
  await as(file?.version)
  expect((await manifestOf(at)).missing_files).toMatchObject([{ missing: file?.name, why: 'gone' }])
  expect(exitCode).toBe(NOT_INTACT)
  expect(lines.filter((line) => line.includes(' is missing: '))).toHaveLength(1)
})

test('a file that was cut short in the storage is altered, for an export as for verifying', async () => {
  const at = await scene.anEmptyFolder()
  const [file] = await project.sql<{ name: string }>(
    `select name from storage.objects where bucket_id = 'chat-images' order by name limit 1`,
  )
  const restore = project.cutShort('chat-images', file?.name ?? '')
  await archive(['export', at])
  const { exitCode, lines } = await archive(['verify'])
  restore()
  expect((await manifestOf(at)).missing_files).toMatchObject([
    { missing: file?.name, why: 'altered' },
  ])
  expect(exitCode).toBe(NOT_INTACT)
  expect(lines.filter((line) => line.includes(' was altered: '))).toHaveLength(1)
})

test('with the address of another project, verifying and an export say in one sentence that it has none of the files', async () => {
  const another = await startHostedProject()
  const at = await scene.anEmptyFolder()
  const where = `is in the storage of the project at ${another.environment.SUPABASE_URL}. Check that SUPABASE_URL `
  try {
    const { exitCode, lines } = await archive(['verify'], another.environment)
    expect([exitCode, lines[0]]).toEqual([
      NOT_INTACT,
      expect.stringContaining(`None of the 3 files ${where}`),
    ])
    expect(lines[1]).toMatch(/^THE ARCHIVE IS NOT INTACT/)
    await expect(archive(['export', at], another.environment)).rejects.toThrow(
      `None of the first 3 files ${where}`,
    )
  } finally {
    await another.close()
  }
  await archive(['export', at, '--resume'])
  expect(await manifestOf(at)).toMatchObject({ attachments: 'included', missing_files: [] })
})

test('an export is stopped while a file is awaited, and goes on with all files: only with the settings that it was begun with', async () => {
  const { at, ended, stopping } = await anInterruptedExport()
  stopping.abort(new BackupError('Stopped before the end.'))
  await expect(ended).rejects.toThrow('Stopped before the end.')
  expect(await attachmentsOf(at)).toHaveLength(1)
  project.state.responses = Infinity
  await expect(archive(['export', at, '--resume'], {})).rejects.toThrow(
    'This export was begun with files: set SUPABASE_URL and SUPABASE_SECRET_KEY',
  )
  await archive(['export', at, '--resume'])
  expect(await manifestOf(at)).toMatchObject({ attachments: 'included', missing_files: [] })
  expect(await attachmentsOf(at)).toHaveLength(3)
  expect(verifyExport(at)).toMatchObject({ status: 0 })
})

test('a storage that stays away ends an export with a sentence, and it goes on when the storage is back', async () => {
  const { at, ended } = await anInterruptedExport()
  Object.assign(project.state, { failing: 100, responses: Infinity })
  project.cutOff()
  await expect(ended).rejects.toThrow(
    /^The storage of the project at \S+ responded with 503\. Go on with --resume when it is back\.$/,
  )
  await expect(archive(['verify'])).rejects.toThrow(
    /responded with 503\. Run the same command again when it is back\.$/,
  )
  project.state.failing = 0
  await archive(['export', at, '--resume'])
  expect(await manifestOf(at)).toMatchObject({ attachments: 'included', missing_files: [] })
  expect(await attachmentsOf(at)).toHaveLength(3)
})

test('an export that was begun without files goes on without them, also where the settings name the project', async () => {
  const { at: withFiles, ended, stopping } = await anInterruptedExport()
  stopping.abort(new BackupError('Stopped before the end.'))
  await expect(ended).rejects.toThrow('Stopped before the end.')
  project.state.responses = Infinity
  const at = await scene.anEmptyFolder()
  const state = await readFile(join(withFiles, 'unfinished.json'), 'utf8')
  const begun = { ...(JSON.parse(state) as ExportState), ...NO_PROGRESS, withFiles: false }
  await writeFile(join(at, 'unfinished.json'), JSON.stringify(begun))
  await archive(['export', at, '--resume'])
  expect(await manifestOf(at)).toMatchObject({ attachments: 'out of reach', missing_files: [] })
  expect(await readdir(at)).not.toContain('attachments')
  expect(verifyExport(at)).toMatchObject({ status: 0 })
})
