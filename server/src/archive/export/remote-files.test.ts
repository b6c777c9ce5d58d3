// An export whose files are in a remote store: it lists as missing what is not there, and nothing because the store is away.
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startS3Service, type S3Service } from 'backend/testing/s3-service.ts'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import {
  anExportedArchive,
  verifyExport,
  type ExportedArchive,
} from '../../../testing/an-exported-archive.ts'
import { INTACT, NOT_INTACT } from '../archive-command.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let scene: ExportedArchive
let service: S3Service

beforeAll(async () => {
  // Progress is for people.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  service = await startS3Service()
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = service.settings
  scene = await anExportedArchive({
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  })
  for (const bytes of [1_000, 300_000]) await scene.sendImage(randomBytes(bytes))
  await scene.keep()
})
afterEach(() => {
  service.fail(0)
  service.comeBack()
})
afterAll(async () => {
  vi.restoreAllMocks()
  await scene?.close()
  await service?.close()
})

type Manifest = { missing_files: { missing: string; why: string }[] }
const missingIn = async (at: string) =>
  (JSON.parse(await readFile(join(at, 'manifest.json'), 'utf8')) as Manifest).missing_files

test.each([
  ['breaks off in the middle of a file', () => service.goAwayAfter(1)],
  ['says that it is busy', () => service.fail(1_000)],
])(
  'an export whose store %s stops with a sentence, lists nothing as missing, and goes on with all files',
  async (_, goAway) => {
    const at = await scene.anEmptyFolder()
    goAway()
    await expect(scene.archive('export', at)).rejects.toThrow(
      /^The file store cannot be read: .+\. Go on with --resume when it is back\.$/,
    )
    service.fail(0)
    service.comeBack()
    expect(await readdir(at)).not.toContain('manifest.json')
    await scene.archive('export', at, '--resume')
    expect(await missingIn(at)).toEqual([])
    expect(await readdir(join(at, 'attachments'))).toHaveLength(3)
    expect(verifyExport(at)).toMatchObject({ status: 0 })
  },
)

test('an export lists a file as missing that the store does not have, or has with other bytes', async () => {
  const rows = await scene.team.sql<{ name: string; version: string }>(
    `select name, version from storage.objects where bucket_id = 'chat-images' order by (metadata ->> 'size')::int`,
  )
  const [gone, altered] = rows
  const kept = new Map(service.objects)
  service.objects.delete(gone?.version ?? '')
  service.objects.set(altered?.version ?? '', Buffer.from('something else'))
  const at = await scene.exported()
  const { exitCode, lines } = await scene.printed('verify')
  for (const [key, bytes] of kept) service.objects.set(key, bytes)
  expect((await missingIn(at)).map(({ missing, why }) => [missing, why]).toSorted()).toEqual(
    [
      [gone?.name, 'gone'],
      [altered?.name, 'altered'],
    ].toSorted(),
  )
  expect(verifyExport(at)).toMatchObject({ status: 0 })
  expect(exitCode).toBe(NOT_INTACT)
  expect(lines.filter((line) => line.includes(' is missing: '))).toHaveLength(1)
  expect(lines.filter((line) => line.includes(' was altered: '))).toHaveLength(1)
})

test('a file that was sent twice is in the export as long as the store has one of the two', async () => {
  const same = randomBytes(500)
  const sha256 = await scene.sendImage(same)
  await scene.keep()
  await scene.sendImage(same)
  await scene.keep()
  const [first] = await scene.team.sql<{ version: string }>(
    `select o.version from archive.records r join storage.objects o on o.name = r.content ->> 'path'
     where r.kind = 'message.file' and r.content ->> 'sha256' = $1 order by r.seq limit 1`,
    [sha256],
  )
  const kept = service.objects.get(first?.version ?? '')
  service.objects.delete(first?.version ?? '')
  const at = await scene.exported()
  service.objects.set(first?.version ?? '', kept as Buffer)
  expect(await missingIn(at)).toEqual([])
  expect(await readdir(join(at, 'attachments'))).toContain(`${sha256}.png`)
  expect(verifyExport(at)).toMatchObject({ status: 0 })
})

test('verifying takes no file for altered or missing because the store is away', async () => {
  service.goAwayAfter(1)
  await expect(scene.archive('verify')).rejects.toThrow(
    /^The file store cannot be read: .+\. Run the same command again when it is back\.$/,
  )
  service.comeBack()
  expect((await scene.printed('verify')).exitCode).toBe(INTACT)
})
