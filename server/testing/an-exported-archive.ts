// A team that said something, changed it and sent an image, and an export of everything.
import { spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { keepArchive } from 'supabase-project/functions/archive/keep-archive.ts'
import { archiveCommand } from '../src/archive/archive-command.ts'
import { openDatabaseOf } from '../src/backup/installation.ts'
import type { Settings } from '../src/settings.ts'
import { aFolder, anInstallation, PNG_HEAD } from './an-installation.ts'

export type ExportedRecord = {
  seq: number
  kind: string
  subject_id: string
  content: Record<string, string>
}

/** The lines of an export. */
export async function recordsOf(at: string): Promise<ExportedRecord[]> {
  const text = await readFile(join(at, 'records.jsonl'), 'utf8')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ExportedRecord)
}

/** `node verify-export.mjs` in the export. */
export function verifyExport(at: string, ...args: string[]) {
  const program = join(at, 'verify-export.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
  })
  return { status, lines: `${stdout}${stderr}`.trim().split('\n') }
}

export type ExportedArchive = Awaited<ReturnType<typeof anExportedArchive>>

export async function anExportedArchive(environment?: Record<string, string>) {
  const team = await anInstallation({ environment })
  const folders: string[] = []
  const [row] = await team.sql<{ id: string }>('select private.mandatory_chat_id() as id')
  const chat = row?.id ?? ''
  const keep = () => keepArchive({ projectUrl: team.url, secretKey: team.secretKey, fetch })

  async function anEmptyFolder() {
    const made = await aFolder()
    folders.push(made)
    return made
  }
  /** `npm run archive -- …`, while the server runs, and the lines it prints. */
  const printed = async (...args: string[]) => printedWith({}, ...args)
  /** The same with other settings, and with its database. */
  async function printedElsewhere(changes: Partial<Settings>, ...args: string[]) {
    const { url } = await openDatabaseOf(team.settings)
    return printedWith({ ...changes, DATABASE_URL: url }, ...args)
  }
  async function printedWith(changes: Partial<Settings>, ...args: string[]) {
    const settings = { ...team.settings, ...changes }
    const { signal } = new AbortController()
    const lines: string[] = []
    const print = (line: string) => void lines.push(line)
    return {
      exitCode: await archiveCommand(args, { settings, print, signal }),
      lines,
    }
  }
  const archive = async (...args: string[]) => (await printed(...args)).exitCode
  async function exported(...args: string[]) {
    const at = await anEmptyFolder()
    await archive('export', at, ...args)
    return at
  }
  async function send(text: string) {
    const id = randomUUID()
    await team.sql(
      `insert into public.chat_messages (id, chat_id, sender_id, message)
       select $1, $2, id, $3 from private.members where email = 'maya.ortiz@example.com'`,
      [id, chat, text],
    )
    return id
  }
  /** Sends a file as Maya does. @returns its SHA-256 */
  async function sendFile(name: string, type: string, bytes: Uint8Array<ArrayBuffer>, to = chat) {
    const id = randomUUID()
    const path = `${to}/${id}.${name.split('.').at(-1)}`
    const { access_token: token, user } = await team.signIn()
    const headers = { 'content-type': type }
    const address = `/storage/v1/object/chat-images/${path}`
    const response = await team.send(address, { method: 'POST', headers, body: bytes, token })
    if (!response.ok) throw new Error(await response.text())
    const attachment = type.startsWith('image/')
      ? { path, width: 1, height: 1 }
      : { kind: 'file', path, name }
    await team.sql(
      `insert into public.chat_messages (id, chat_id, sender_id, message, attachment)
       values ($1, $2, $3, 'A file', $4)`,
      [id, to, user.id, attachment],
    )
    return createHash('sha256').update(bytes).digest('hex')
  }
  /** Keeps it once ten minutes are over, after which files are read again that could not be. */
  async function keepLater() {
    await team.sql(`update archive.files set taken_at = taken_at - interval '11 minutes'`)
    await keep()
  }
  const sendImage = (bytes: Uint8Array) =>
    sendFile('photo.png', 'image/png', new Uint8Array(Buffer.concat([PNG_HEAD, bytes])))

  await keep()
  const id = await send('Guaranteed 12 % returns for “José Núñez”!\nReally. \u2028 🚀 <b>&')
  await team.sql(`update public.chat_messages set message = 'Hello everybody' where id = $1`, [id])
  await send('=HYPERLINK("https://example.com","Click")')
  const image = await sendImage(Buffer.from(randomUUID()))
  await team.sql(`begin; insert into public.chat_messages (chat_id, sender_id, message)
    select chat_id, sender_id, 'never' from public.chat_messages limit 1; rollback`)
  await team.sql(
    `update public.chat_messages set is_deleted = true, deleted_reason = 'Promise' where id = $1`,
    [await send('No risk at all')],
  )
  await keep()
  return {
    team,
    chat,
    /** Its SHA-256. */
    image,
    folder: await exported('--reason', 'Examination 2026'),
    archive,
    printed,
    printedElsewhere,
    exported,
    send,
    sendFile,
    sendImage,
    keep,
    keepLater,
    anEmptyFolder,
    async close() {
      await team.close()
      for (const each of folders) await rm(each, { recursive: true, force: true })
    },
  }
}
