// An export as somebody outside takes it: every record, opened by a mail reader and a spreadsheet, by criteria, and with its files.
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rmdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  anExportedArchive,
  recordsOf,
  verifyExport,
  type ExportedArchive,
} from '../../../testing/an-exported-archive.ts'
import { connect } from '../../backup/database/snapshot.ts'
import { openDatabaseOf } from '../../backup/installation.ts'
import { INTACT, NOT_INTACT } from '../archive-command.ts'
import { installedFiles, type ArchivedFiles } from '../archived-files.ts'
import { FORMATS } from './criteria.ts'
import { csvValue } from './csv-row.ts'
import { beginExport, resumeExport } from './export-archive.ts'
import { exportCommand, FILES_MISSING, parseExport } from './export-command.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let scene: ExportedArchive
let folder: string

beforeAll(async () => {
  // Progress is for people.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  scene = await anExportedArchive()
  folder = scene.folder
})
afterAll(async () => {
  vi.restoreAllMocks()
  await scene?.close()
})

describe('an export of everything', () => {
  test('has every record as the line that was hashed, and checks itself with Node alone', async () => {
    const { status, lines } = verifyExport(folder)
    expect(lines[0]).toMatch(/^The export is as it was made: \d+ records under \d+ seals/)
    expect(status).toBe(0)
    const records = await recordsOf(folder)
    const [archived] = await scene.team.sql<{ lines: string[] }>(
      `select array_agg(archive.line(r) order by r.seq) as lines from archive.records r
       where r.seq <= $1`,
      [records.at(-1)?.seq],
    )
    expect(await readFile(join(folder, 'records.jsonl'), 'utf8')).toBe(
      `${archived?.lines.join('\n')}\n`,
    )
  })

  test('is in the archive itself: when it began, with its criteria, and when it was made, with the hash of its manifest', async () => {
    const manifest = await readFile(join(folder, 'manifest.json'))
    const sha256 = createHash('sha256').update(manifest).digest('hex')
    const kept = await scene.team.sql<{ kind: string; content: object }>(
      `select kind, content from archive.records where kind like 'export.%' order by seq limit 2`,
    )
    expect(kept).toMatchObject([
      {
        kind: 'export.began',
        content: { reason: 'Examination 2026', formats: ['eml', 'jsonl', 'csv'] },
      },
      { kind: 'export.made', content: { manifest: { sha256, bytes: manifest.length } } },
    ])
    expect(verifyExport(folder, '--manifest', sha256).status).toBe(0)
    expect(verifyExport(folder, '--manifest', 'ab'.repeat(32))).toMatchObject({
      status: 1,
      lines: ['manifest.json was altered', expect.any(String), expect.any(String)] as unknown,
    })
  })

  test('a mail reader opens a conversation with everybody in it, all versions and the image', async () => {
    const days = await readdir(join(folder, 'eml', scene.chat))
    const mail = await new PostalMime().parse(
      await readFile(join(folder, 'eml', scene.chat, days.toSorted().at(-1) ?? '')),
    )
    expect(mail.from?.address).toMatch(/@example\.com$/)
    expect(mail.to?.length).toBeGreaterThan(5)
    expect(mail.to?.every((each) => each.address?.includes('@'))).toBe(true)
    expect(Number.isNaN(Date.parse(mail.date ?? ''))).toBe(false)
    expect(mail.messageId).toMatch(/^<.+@archive\.invalid>$/)
    const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value
    expect(header('x-archive-chat')).toBe(scene.chat)
    for (const body of [mail.text, mail.html?.replaceAll('&#34;', '"')]) {
      expect(body).toContain('José Núñez')
      expect(body).toMatch(/Before:(<\/b>)? (<span>)?Guaranteed 12 %/)
      expect(body).toMatch(/After:(<\/b>)? (<span>)?Hello everybody/)
      expect(body).toContain('No risk at all')
      expect(body).toContain('Promise')
    }
    expect(mail.html).toContain('🚀 &#60;b&#62;&#38;')
    const [attachment] = mail.attachments
    expect(attachment?.filename).toBe(`${scene.image}.png`)
    const bytes = Buffer.from((attachment?.content ?? '') as string)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(scene.image)
    expect(await readFile(join(folder, 'attachments', `${scene.image}.png`))).toEqual(bytes)
  })

  test('a spreadsheet takes nothing in the table for a formula', async () => {
    const csv = await readFile(join(folder, 'records.csv'), 'utf8')
    expect(csv.startsWith('\uFEFFseq,recorded_at,kind,')).toBe(true)
    expect(csv).toContain(`"'=HYPERLINK(""https://example.com"",""Click"")"`)
    expect(['-1', '+1', '@SUM(A1)', '\tx', 'x,y', 'x\ny', null].map(csvValue)).toEqual([
      ...["'-1", "'+1", "'@SUM(A1)", "'\tx", '"x,y"', '"x\ny"', ''],
    ])
  })

  test('goes into an empty folder only', async () => {
    await expect(scene.archive('export', folder)).rejects.toThrow('is not empty')
    await expect(scene.archive('export', folder, '--resume')).rejects.toThrow(
      'has no unfinished export',
    )
  })
})

describe('criteria', () => {
  const texts = async (at: string) => (await recordsOf(at)).map(({ content }) => content.text ?? '')

  test('words find every version of a message, whatever accents were typed', async () => {
    const at = await scene.exported('--words', 'jose nunez guaranteed', '--format', 'jsonl')
    const records = await recordsOf(at)
    expect(records.map(({ kind }) => kind)).toEqual(['message.sent', 'message.edited'])
    expect(new Set(records.map(({ subject_id: id }) => id)).size).toBe(1)
    expect(verifyExport(at)).toMatchObject({ status: 0 })
    expect(await readdir(at)).not.toContain('records.csv')
  })

  test('a member, also by the address of one who left', async () => {
    const [left] = await scene.team.sql<{ id: string; email: string }>(
      `select id, email from private.members where email like 'theo%' limit 1`,
    )
    await scene.team.sql(
      `insert into public.chat_messages (chat_id, sender_id, message) values ($1, $2, 'Before I leave')`,
      [scene.chat, left?.id],
    )
    await scene.team.sql('delete from auth.users where id = $1', [left?.id])
    const at = await scene.exported(
      '--member',
      left?.email.toUpperCase() ?? '',
      '--format',
      'jsonl,csv',
    )
    expect(await texts(at)).toContain('Before I leave')
    expect(await texts(at)).not.toContain('No risk at all')
    expect(verifyExport(at).status).toBe(0)
  })

  test('days and a chat, with the files of the messages', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const at = await scene.exported('--from', today, '--to', today, '--chat', scene.chat)
    const { status, lines } = verifyExport(at)
    expect([status, lines[0]]).toEqual([0, expect.stringMatching(/^The export is as it was made/)])
    expect(await readdir(join(at, 'attachments'))).toEqual([`${scene.image}.png`])
    expect(await readdir(join(at, 'eml'))).toEqual([scene.chat])
    const none = await scene.exported('--to', '2001-01-01', '--format', 'jsonl')
    expect(await recordsOf(none)).toEqual([])
    expect(verifyExport(none).status).toBe(0)
  })

  test.each([
    [['--from', 'yesterday'], '--from takes a day'],
    [['--from', '2026-02-01', '--to', '2026-01-01'], '--from is after --to'],
    [['--chat', 'no such chat'], 'knows no chat'],
    [['--kind', 'Removed!'], '--kind takes a kind'],
    [['--to', '2026-01-31 14:30'], '--to takes a day, such as 2026-01-31, or a time in UTC'],
    [['--member', 'nobody@example.com'], 'knows nobody'],
    [['--format', 'eml,pdf'], 'There is no format "pdf".\nUse: npm run archive'],
    [['--resume', '--from', '2026-01-01'], 'leave the other options out.\nUse: npm run archive'],
    [['--form', '2026-01-01'], "Unknown option '--form'.\nUse: npm run archive"],
    [['--to'], "Option '--to <value>' argument missing.\nUse: npm run archive"],
    [['another'], 'An export needs one folder.\nUse: npm run archive'],
  ])('that cannot be meant are refused: %s', async (args, message) => {
    await expect(scene.exported(...args)).rejects.toThrow(message)
  })
})

describe('files that are no images', () => {
  const PDF = new Uint8Array(Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF'))
  const TABLE = new Uint8Array(Buffer.from('product,rate\nIUL,6 %\n'))

  test('are in the export as they were sent: in its records, its folder of attachments and the mail', async () => {
    const pdf = await scene.sendFile('Plan.pdf', 'application/pdf', PDF)
    const table = await scene.sendFile('Prices.csv', 'text/csv', TABLE)
    await scene.keep()
    const at = await scene.exported('--chat', scene.chat)
    expect(verifyExport(at)).toMatchObject({ status: 0 })

    const records = await recordsOf(at)
    const [day = ''] = (await readdir(join(at, 'eml', scene.chat))).toSorted().slice(-1)
    const mail = await new PostalMime().parse(await readFile(join(at, 'eml', scene.chat, day)))
    for (const [name, sha256, bytes, type] of [
      [`${pdf}.pdf`, pdf, PDF, 'application/pdf'],
      [`${table}.csv`, table, TABLE, 'text/csv'],
    ] as const) {
      const captured = records.filter(({ content }) => content.sha256 === sha256)
      expect(captured).toMatchObject([{ kind: 'message.file', content: { bytes: bytes.length } }])
      expect(new Uint8Array(await readFile(join(at, 'attachments', name)))).toEqual(bytes)
      const attached = mail.attachments.find(({ filename }) => filename === name)
      expect(attached).toMatchObject({ disposition: 'attachment', mimeType: type })
      expect(new Uint8Array(attached?.content as ArrayBuffer)).toEqual(bytes)
    }
    expect(mail.text).toContain('Plan.pdf')
    expect(mail.text).toContain('Prices.csv')
  })
})

const STAGE = /^declare export_(records|files|conversations|seals) /

test('an export says every two seconds how far it is, and in the end what the recipient has to know', async () => {
  await scene.keep()
  const at = await scene.anEmptyFolder()
  const { settings } = scene.team
  const database = await openDatabaseOf(settings)
  const client = await connect(database.url)
  const said: string[] = []
  const printed: string[] = []
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  // Two seconds pass before each of its stages.
  Object.assign(client, {
    query(...args: unknown[]) {
      if (STAGE.test(String(args[0]))) vi.advanceTimersByTime(2_000)
      return query(...args)
    },
  })
  try {
    await exportCommand(
      client,
      parseExport([at]),
      installedFiles(settings),
      (line) => void printed.push(line),
      (line) => said.push(line) > 0,
    )
  } finally {
    vi.useRealTimers()
    await client.end()
    await database.stop()
  }

  const records = await recordsOf(at)
  const files = (await readdir(join(at, 'attachments'))).length
  const inChats = records.filter((each) => /^(message|reaction|chat)\./.test(each.kind)).length
  const count = (number: number) => number.toLocaleString('en-US')
  const all = `${count(records.length)} of ${count(records.length)}`
  const manifest = createHash('sha256').update(await readFile(join(at, 'manifest.json')))
  const hash = manifest.digest('hex')
  expect(said).toEqual([
    `2 s: 0 of ${count(records.length)} records, 0 files, 0 records in conversations`,
    `4 s: ${all} records, 0 files, 0 records in conversations`,
    `6 s: ${all} records, ${files} files, 0 records in conversations`,
    `8 s: ${all} records, ${files} files, ${count(inChats)} records in conversations`,
    `${count(records.length)} records. The SHA-256 of manifest.json is ${hash}.`,
    `The recipient checks it in its folder with: node verify-export.mjs --manifest ${hash}`,
  ])
  expect(printed).toEqual([at])
})

test('an export that goes on counts what was done before as done', async () => {
  await scene.keep()
  const at = await scene.anEmptyFolder()
  const store = installedFiles(scene.team.settings)
  const done = { total: 0, records: 0, files: 0, conversations: 0 }

  async function goOn(files = store) {
    Object.assign(done, { total: 0, records: 0, files: 0, conversations: 0 })
    const tally = {
      selected: (records: number) => void (done.total = records),
      records: (count: number) => void (done.records += count),
      conversations: (count: number) => void (done.conversations += count),
      files: (count: number) => void (done.files += count),
    }
    const database = await openDatabaseOf(scene.team.settings)
    const client = await connect(database.url)
    const dependencies = { folder: at, files, tally }
    const wanted = { criteria: {}, formats: [...FORMATS], reason: null }
    const isBegun = (await readdir(at)).includes('unfinished.json')
    try {
      if (isBegun) await resumeExport(client, dependencies)
      else await beginExport(client, dependencies, wanted)
    } finally {
      await client.end()
      await database.stop()
    }
  }

  let reads = 0
  const breaksOff: ArchivedFiles = {
    ...store,
    read: (file) => (reads++ === 1 ? Promise.reject(new Error('away')) : store.read(file)),
  }
  await expect(goOn(breaksOff)).rejects.toThrow('Go on with --resume')
  expect(done).toMatchObject({ files: 1, conversations: 0 })
  const inTheWay = join(at, 'seals.jsonl.partial')
  await mkdir(inTheWay)
  await expect(goOn()).rejects.toThrow('EISDIR')
  const all = { ...done }
  expect(all.files).toBe((await readdir(join(at, 'attachments'))).length)
  expect(all.conversations).toBeGreaterThan(0)
  await rmdir(inTheWay)
  await goOn()
  expect(done).toEqual(all)
})

test('a file that was cut short in the store is altered: for an export, which then ends with 1, as for verifying', async () => {
  for (const bytes of [1_000, 300_000]) await scene.sendImage(randomBytes(bytes))
  await scene.keep()
  const cut = await scene.team.sql<{ name: string; version: string }>(
    `select name, version from storage.objects where bucket_id = 'chat-images'
     order by (metadata ->> 'size')::int desc limit 2`,
  )
  const objects = join(scene.team.dataDir, 'storage/objects')
  const kept = new Map<string, Buffer>()
  for (const { version } of cut) {
    const path = join(objects, version.slice(0, 2), version)
    kept.set(path, await readFile(path))
    await truncate(path, 900)
  }
  const at = await scene.anEmptyFolder()
  const exitCode = await scene.archive('export', at)
  const verified = await scene.printed('verify')
  for (const [path, bytes] of kept) await writeFile(path, bytes)

  const manifest = JSON.parse(await readFile(join(at, 'manifest.json'), 'utf8')) as {
    missing_files: { missing: string; why: string }[]
  }
  const names = cut.map(({ name }) => name).toSorted()
  expect(manifest.missing_files.map(({ why }) => why)).toEqual(['altered', 'altered'])
  expect(manifest.missing_files.map(({ missing }) => missing).toSorted()).toEqual(names)
  expect(exitCode).toBe(FILES_MISSING)
  expect(vi.mocked(process.stderr.write).mock.calls.flat()).toContain(
    'Not in it, because the file store does not have them or has them with other bytes: 2 files. manifest.json names them.\n',
  )
  expect(verified.exitCode).toBe(NOT_INTACT)
  expect(verified.lines.filter((line) => line.includes(' was altered: '))).toHaveLength(2)
})

describe('a file store in a folder', () => {
  const objects = () => join(scene.team.dataDir, 'storage/objects')
  const elsewhere = () => join(scene.team.dataDir, 'storage/elsewhere')

  test('that is not there is away, for verifying as for an export, which goes on when it is back', async () => {
    const at = await scene.anEmptyFolder()
    await rename(objects(), elsewhere())
    try {
      const sentence = `The file store cannot be reached: there is no folder ${objects()}. Check that DATA_DIR is that of the server, `
      await expect(scene.archive('verify')).rejects.toThrow(sentence)
      await expect(scene.archive('export', at)).rejects.toThrow(sentence)
      await expect(scene.archive('export', at, '--resume')).rejects.toThrow(sentence)
    } finally {
      await rename(elsewhere(), objects())
    }
    expect(await scene.archive('export', at, '--resume')).toBe(0)
    expect(verifyExport(at)).toMatchObject({ status: 0 })
    expect(await scene.archive('verify')).toBe(INTACT)
  })

  test('in whose place is an empty one has none of the files: an export stops', async () => {
    const at = await scene.anEmptyFolder()
    await rename(objects(), elsewhere())
    await mkdir(objects())
    try {
      expect((await scene.printed('verify')).lines[0]).toMatch(/^None of the \d+ files is in /)
      await expect(scene.archive('export', at)).rejects.toThrow('None of the first ')
    } finally {
      await rmdir(objects())
      await rename(elsewhere(), objects())
    }
    expect(await scene.archive('export', at, '--resume')).toBe(0)
  })

  test('does not have a file whose row was forged: that one is named, and all others are checked', async () => {
    const [file] = await scene.team.sql<{ name: string; version: string }>(
      `select name, version from storage.objects where bucket_id = 'chat-images' order by name limit 1`,
    )
    const as = (version = '') =>
      scene.team.sql(
        `begin; set local session_replication_role = replica;
         update storage.objects set version = '${version}' where name = '${file?.name}'; commit`,
      )
    await as('../../keys.json')
    const at = await scene.anEmptyFolder()
    const exitCode = await scene.archive('export', at)
    const verified = await scene.printed('verify')
    await as(file?.version)
    expect(exitCode).toBe(FILES_MISSING)
    expect(verified.exitCode).toBe(NOT_INTACT)
    expect(verified.lines.filter((line) => line.includes('the file of record'))).toEqual([
      expect.stringMatching(new RegExp(`is missing: ${file?.name}$`)),
    ])
  })
})
