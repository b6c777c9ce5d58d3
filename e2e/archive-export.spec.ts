import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { anEmptyFolder, removeFolder, runArchiveCommand, verifyExport } from './support/exports.ts'
import { test } from './support/journey.ts'
import { anEditedMessage, copyExportCommand, searchArchive, workerStep } from './support/reviews.ts'
import { signIn } from './support/sign-in.ts'

let folder: string
test.beforeEach(async () => {
  folder = await anEmptyFolder()
})
test.afterEach(() => removeFolder(folder))

/** The text of the only mail of a chat. */
async function transcriptOf(at: string, chat: string) {
  const days = await readdir(join(at, 'eml', chat))
  expect(days).toHaveLength(1)
  const mail = await readFile(join(at, 'eml', chat, days[0] ?? ''), 'utf8')
  const [, body = ''] = /text\/plain[^]*?\r\n\r\n([^]*?)\r\n--/.exec(mail) ?? []
  return Buffer.from(body, 'base64').toString()
}

test('what a supervisor finds is handed over by the command shown, and the recipient notices a byte that was changed', async ({
  page,
}) => {
  const { supervisor, chat, mark } = await anEditedMessage(
    (each) => `Guaranteed 12 % ${each}`,
    'Hello everybody',
  )
  const promise = `Guaranteed 12 % ${mark}`
  await workerStep()
  await signIn(page, supervisor, '/supervision?tab=search')
  await searchArchive(page, `guaranteed ${mark}`)
  const command = await copyExportCommand(page)

  const made = await runArchiveCommand(command, folder)
  expect(made).toMatchObject({ exitCode: 0 })
  const [, name = ''] = /(search-\d+)\n/.exec(made.said) ?? []
  const at = join(folder, name)
  const [, manifest = ''] = /node verify-export\.mjs (--manifest \w{64})/.exec(made.said) ?? []

  const lines = (await readFile(join(at, 'records.jsonl'), 'utf8')).trim().split('\n')
  const records = lines.map((line) => JSON.parse(line) as { seq: number; kind: string })
  expect(records.map(({ kind }) => kind)).toEqual(['message.sent', 'message.edited'])
  expect(await readFile(join(at, 'records.csv'), 'utf8')).toContain(promise)
  expect(await transcriptOf(at, chat)).toContain(promise)
  const verified = await verifyExport(at, ...manifest.split(' '))
  expect(verified.said).toContain('2 records')
  expect(verified.exitCode).toBe(0)

  // One byte: the promise becomes 72 %.
  const forged = lines.join('\n').replace('Guaranteed 12', 'Guaranteed 72')
  await writeFile(join(at, 'records.jsonl'), `${forged}\n`)
  const refused = await verifyExport(at, ...manifest.split(' '))
  expect(refused.said).toContain(`record ${records[0]?.seq} was altered`)
  expect(refused.said).not.toContain(`record ${records[1]?.seq} was altered`)
  expect(refused.exitCode).toBe(1)
})
