// An export whose files are in a remote store: it lists as missing what is not there, and nothing because the store is away.
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { startS3Service, type S3Service } from 'backend/testing/s3-service.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  anExportedArchive,
  recordsOf,
  verifyExport,
  type ExportedArchive,
} from '../../../testing/an-exported-archive.ts'
import { aFolder } from '../../../testing/an-installation.ts'
import { INTACT, NOT_INTACT } from '../archive-command.ts'
import { FILES_MISSING } from './export-command.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let scene: ExportedArchive
let service: S3Service
/** A store that has none of the files. */
let another: S3Service
/** A data folder with a file store that is empty. */
let folder: string

beforeAll(async () => {
  // Progress is for people.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  ;[service, another, folder] = [await startS3Service(), await startS3Service(), await aFolder()]
  await mkdir(join(folder, 'storage/objects'), { recursive: true })
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
  await another?.close()
  await rm(folder, { recursive: true })
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

test('an export that something else ends says with which command it goes on', async () => {
  const at = await scene.anEmptyFolder()
  service.fail(1_000)
  await expect(scene.archive('export', at)).rejects.toThrow('The file store cannot be read')
  service.fail(0)
  const inTheWay = join(at, 'seals.jsonl.partial')
  await mkdir(inTheWay)
  await expect(scene.archive('export', at, '--resume')).rejects.toThrow(
    new RegExp(`^EISDIR.*\\. Go on with: npm run archive -- export ${at} --resume$`),
  )
  await rmdir(inTheWay)
  expect(await scene.archive('export', at, '--resume')).toBe(0)
})

describe('with a store that has none of the files', () => {
  const inTheBucket = () =>
    `is in the bucket ${another.settings.bucket} at ${another.settings.endpoint}. Check that S3_ENDPOINT and S3_BUCKET are those of the server.`
  const settings = () => ({ S3_ENDPOINT: another.settings.endpoint })
  const none = { S3_ENDPOINT: undefined, S3_BUCKET: undefined }

  test.each([
    ['a bucket', settings, inTheBucket],
    [
      'a folder',
      () => ({ ...none, DATA_DIR: folder }),
      () =>
        `is in the folder ${join(folder, 'storage')}. Check that DATA_DIR is that of the server, `,
    ],
  ])(
    'verifying says so in one line, and that the archive is not intact: %s',
    async (_, changes, where) => {
      const { exitCode, lines } = await scene.printedElsewhere(changes(), 'verify')
      expect(lines[0]).toContain(`None of the 3 files ${where()}`)
      expect(lines[1]).toMatch(/^THE ARCHIVE IS NOT INTACT: .* and 3 files\.$/)
      expect(exitCode).toBe(NOT_INTACT)
      expect(lines.join()).not.toContain(' is missing: ')
      expect(lines.join()).not.toContain(service.settings.secretAccessKey)
    },
  )

  test('an export stops before it lists anything as missing, and goes on with the right one', async () => {
    const at = await scene.anEmptyFolder()
    await expect(scene.printedElsewhere(settings(), 'export', at)).rejects.toThrow(
      `None of the first 3 files ${inTheBucket()} Go on with --resume once that is right. If the files are lost, --resume lists them as missing.`,
    )
    const stillWrong = { ...none, DATA_DIR: folder }
    await expect(scene.printedElsewhere(stillWrong, 'export', at, '--resume')).rejects.toThrow(
      'None of the first 3 files is in the folder ',
    )
    expect(await scene.archive('export', at, '--resume')).toBe(0)
    expect(await missingIn(at)).toEqual([])
    expect(verifyExport(at)).toMatchObject({ status: 0 })
  })

  test('an export goes on with the same store too, for files that are lost: then it lists all as missing and ends with 1', async () => {
    const at = await scene.anEmptyFolder()
    await expect(scene.printedElsewhere(settings(), 'export', at)).rejects.toThrow('None of')
    const { exitCode } = await scene.printedElsewhere(settings(), 'export', at, '--resume')
    expect(exitCode).toBe(FILES_MISSING)
    expect((await missingIn(at)).map(({ why }) => why)).toEqual(['gone', 'gone', 'gone'])
    const { status, lines } = verifyExport(at)
    expect([status, ...lines]).toContain(
      'Gone or altered already when it was made: 3 files. See manifest.json.',
    )
    expect(status).toBe(0)
  })
})

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

test('a file that was sent 25 times is in the export as long as the store has one of them whole', async () => {
  const same = randomBytes(700)
  let sha256 = ''
  for (let times = 0; times < 25; times++) sha256 = await scene.sendImage(same)
  await scene.keep()
  const copies = await scene.team.sql<{ version: string }>(
    `select o.version from archive.records r join storage.objects o on o.name = r.content ->> 'path'
     where r.kind = 'message.file' and r.content ->> 'sha256' = $1 order by r.seq`,
    [sha256],
  )
  expect(copies).toHaveLength(25)
  const kept = new Map(service.objects)
  for (const { version } of copies.slice(0, -1)) service.objects.set(version, Buffer.alloc(700))
  const at = await scene.exported()
  for (const [key, bytes] of kept) service.objects.set(key, bytes)
  expect(await missingIn(at)).toEqual([])
  expect(await readdir(join(at, 'attachments'))).toContain(`${sha256}.png`)
  expect(verifyExport(at)).toMatchObject({ status: 0 })
})

test('a file that was sent under two endings is in the mail of each chat, under the ending it was sent with', async () => {
  const bytes = new Uint8Array(Buffer.from('product,rate\nWhole life,4 %\n'))
  const [other] = await scene.team.sql<{ id: string }>(
    `select c.id from public.chats c join private.chat_participants p on p.chat_id = c.id and p.is_active
     join private.members m on m.id = p.user_id
     where c.id <> $1 and m.email = 'maya.ortiz@example.com' limit 1`,
    [scene.chat],
  )
  const sent = [
    { chat: scene.chat, ending: 'txt', type: 'text/plain' },
    { chat: other?.id ?? '', ending: 'csv', type: 'text/csv' },
  ]
  let sha256 = ''
  for (const { chat, ending, type } of sent)
    sha256 = await scene.sendFile(`quote.${ending}`, type, bytes, chat)
  await scene.keep()
  const at = await scene.exported()
  for (const { chat, ending, type } of sent) {
    const [day = ''] = (await readdir(join(at, 'eml', chat))).toSorted().slice(-1)
    const mail = await new PostalMime().parse(await readFile(join(at, 'eml', chat, day)))
    const attached = mail.attachments.find(({ filename }) => filename === `${sha256}.${ending}`)
    expect(attached).toMatchObject({ mimeType: type })
    expect(new Uint8Array(attached?.content as ArrayBuffer)).toEqual(bytes)
  }
  expect(verifyExport(at)).toMatchObject({ status: 0 })
})

test('what an interrupted export left in the place of a file that is gone gets neither into the export nor into a mail', async () => {
  const sha256 = await scene.sendImage(randomBytes(900))
  await scene.keep()
  const [file] = await scene.team.sql<{ version: string }>(
    `select o.version from archive.records r join storage.objects o on o.name = r.content ->> 'path'
     where r.content ->> 'sha256' = $1`,
    [sha256],
  )
  const at = await scene.anEmptyFolder()
  service.goAwayAfter(0)
  await expect(scene.archive('export', at)).rejects.toThrow('The file store cannot be read')
  service.comeBack()
  const left = Buffer.from('left by something else')
  await writeFile(join(at, 'attachments', `${sha256}.png`), left)
  await writeFile(join(at, 'attachments', `${sha256}.png.partial`), left)
  const kept = service.objects.get(file?.version ?? '')
  service.objects.delete(file?.version ?? '')
  expect(await scene.archive('export', at, '--resume')).toBe(FILES_MISSING)
  service.objects.set(file?.version ?? '', kept as Buffer)
  expect(await missingIn(at)).toMatchObject([{ why: 'gone' }])
  expect((await readdir(join(at, 'attachments'))).join()).not.toContain(sha256)
  for (const day of await readdir(join(at, 'eml', scene.chat))) {
    const mail = await readFile(join(at, 'eml', scene.chat, day), 'utf8')
    expect(mail).not.toContain(`X-Archive-SHA-256: ${sha256}`)
  }
  expect(verifyExport(at)).toMatchObject({ status: 0 })
})

test('a file that could not be read yet is named by an export and by verifying, and is in the next export', async () => {
  const sha256 = await scene.sendImage(randomBytes(1_100))
  service.fail(Infinity)
  for (let tries = 0; tries < 5; tries++)
    await expect(scene.keepLater()).rejects.toThrow('cannot be read')
  service.fail(0)
  const before = await scene.anEmptyFolder()
  expect(await scene.archive('export', before)).toBe(FILES_MISSING)
  expect(await missingIn(before)).toEqual([
    {
      missing: expect.stringContaining(scene.chat) as string,
      message: expect.any(String) as string,
      why: 'not read yet',
    },
  ])
  expect(verifyExport(before)).toMatchObject({ status: 0 })
  expect(verifyExport(before).lines).toContain(
    'Not read yet by the server when it began: 1 file. See manifest.json.',
  )
  const { exitCode, lines } = await scene.printed('verify')
  expect(exitCode).toBe(INTACT)
  expect(lines.join('\n')).toMatch(/^1 file not read yet, the oldest of 20\S+\.$/m)
  await scene.keepLater()
  const after = await scene.anEmptyFolder()
  expect(await scene.archive('export', after)).toBe(0)
  expect(await readdir(join(after, 'attachments'))).toContain(`${sha256}.png`)
})

test('an attachment that was altered while an export was under way gets into no mail', async () => {
  const at = await scene.anEmptyFolder()
  service.goAwayAfter(0)
  await expect(scene.archive('export', at)).rejects.toThrow('The file store cannot be read')
  service.comeBack()
  const inTheWay = join(at, 'eml')
  await writeFile(inTheWay, '')
  await expect(scene.archive('export', at, '--resume')).rejects.toThrow('Go on with: ')
  await rm(inTheWay)
  await writeFile(join(at, 'attachments', `${scene.image}.png`), 'something else')
  await expect(scene.archive('export', at, '--resume')).rejects.toThrow(
    `attachments/${scene.image}.png was altered while the export was under way: begin a new one.`,
  )
})

test('verifying takes no file for altered or missing because the store is away', async () => {
  service.goAwayAfter(1)
  await expect(scene.archive('verify')).rejects.toThrow(
    /^The file store cannot be read: .+\. Run the same command again when it is back\.$/,
  )
  service.comeBack()
  expect((await scene.printed('verify')).exitCode).toBe(INTACT)
})

// The last one: what is recorded stays.
test('a file that was recorded as missing is named by each export, and no alteration for verifying', async () => {
  await scene.sendImage(randomBytes(1_200))
  await scene.team.sql(
    `begin; set local session_replication_role = replica;
     delete from storage.objects o using archive.files f where f.path = o.name and not f.is_recorded; commit`,
  )
  for (let tries = 0; tries < 5; tries++) await scene.keepLater()
  const at = await scene.anEmptyFolder()
  expect(await scene.archive('export', at)).toBe(FILES_MISSING)
  const [record] = (await recordsOf(at)).filter(({ content }) => content.is_missing)
  expect(await missingIn(at)).toEqual([
    { missing: record?.content.path, message: record?.subject_id, why: 'never there' },
  ])
  const checked = verifyExport(at)
  expect(checked.status).toBe(0)
  expect(checked.lines).toContain(
    'Recorded as missing when they were to be archived: 1 file. See manifest.json.',
  )
  const { exitCode, lines } = await scene.printed('verify')
  expect(exitCode).toBe(INTACT)
  expect(lines).toContain(
    'Recorded as missing, because the file store did not have them when they were to be archived: 1 file.',
  )
})
