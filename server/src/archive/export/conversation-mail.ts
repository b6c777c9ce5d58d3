// One mail with a conversation of a day, as archives of mail take it in: docs/archive.md has its headers.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { BackupError } from '../../backup/archive/errors.ts'
import { PRODUCT_NAME } from '../../project-files.ts'
import { sha256, type RecordRow } from '../record-line.ts'
import type { Participant } from './conversation-history.ts'
import type { HashedFile } from './hashed-file.ts'
import { headerAddresses, headerDate, headerText } from './mail-headers.ts'
import { asHtml, asText, escapeHtml, transcriptLine } from './transcript.ts'

export type MailAttachment = {
  path: string
  sha256: string
  bytes: number
  /** As it was archived with the message; images have none. */
  type: string | null
}

export type ConversationMail = {
  exportId: string
  chat: { id: string; name: string; type: string }
  day: string
  /** Counted from 1. */
  part: number
  records: RecordRow[]
  participants: Participant[]
  attachments: MailAttachment[]
}

/** More would make headers that readers refuse: the others stand in the text. */
const MOST_ADDRESSES = 200
const BASE64_LINE = 57

export async function writeMail(
  file: HashedFile,
  folder: string,
  mail: ConversationMail,
): Promise<void> {
  const id = `${mail.chat.id}.${mail.day}.${mail.part}.${mail.exportId}@archive.invalid`
  const mark = sha256(id).toString('hex').slice(0, 32)
  const [outer, inner] = [`=_mixed_${mark}`, `=_text_${mark}`]
  const lines = mail.records.map(transcriptLine)
  await file.write(
    `${headers(mail, id).join('\r\n')}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="${outer}"\r\n\r\n` +
      `--${outer}\r\nContent-Type: multipart/alternative; boundary="${inner}"\r\n\r\n`,
  )
  const people = mail.participants.map(inWords)
  const text = `${title(mail)}\r\n${people.length} took part: ${people.join('; ')}\r\n\r\n${lines.map(asText).join('')}`
  const html =
    `<!doctype html><html><head><meta charset="utf-8"><title>${escapeHtml(title(mail))}</title></head><body>\r\n` +
    `<h1>${escapeHtml(title(mail))}</h1><p>${people.length} took part: ${escapeHtml(people.join('; '))}</p>\r\n` +
    `<table border="1"><tr><th>Record</th><th>Time (UTC)</th><th>Who</th><th>What</th></tr>\r\n` +
    `${lines.map(asHtml).join('')}</table></body></html>\r\n`
  for (const [type, body] of [
    ['plain', text],
    ['html', html],
  ]) {
    await file.write(
      `--${inner}\r\nContent-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n`,
    )
    await file.write(`${base64Lines(Buffer.from(body ?? ''))}\r\n`)
  }
  await file.write(`--${inner}--\r\n`)
  for (const attachment of mail.attachments) {
    const name = attachment.path.slice(attachment.path.lastIndexOf('/') + 1)
    await file.write(
      `--${outer}\r\nContent-Type: ${typeOf(attachment.type, name)}\r\nContent-Transfer-Encoding: base64\r\n` +
        `Content-Disposition: attachment;\r\n filename="${name}"\r\nX-Archive-SHA-256: ${attachment.sha256}\r\n\r\n`,
    )
    await writeBase64(file, folder, attachment)
  }
  await file.write(`--${outer}--\r\n`)
}

function title({ chat, day, part }: ConversationMail): string {
  return `${PRODUCT_NAME}: ${chat.name || 'Conversation'}, ${day}${part > 1 ? `, part ${part}` : ''}`
}

const inWords = ({ name, email, id }: Participant) =>
  [name, `<${email ?? id}>`].filter(Boolean).join(' ')

function headers(mail: ConversationMail, id: string): string[] {
  const { chat, day, part, records, exportId } = mail
  const from = sender(mail)
  const others = mail.participants.filter(({ id: other }) => other !== from.id)
  const to = others.slice(0, MOST_ADDRESSES)
  const [first, last] = [records[0], records.at(-1)]
  return [
    `From: ${headerAddresses([from])}`,
    `To: ${to.length > 0 ? headerAddresses(to) : 'undisclosed-recipients:;'}`,
    `Date: ${headerDate(last?.recorded_at ?? day)}`,
    `Subject: ${headerText(title(mail))}`,
    `Message-ID:\r\n <${id}>`,
    `X-Archive-Export: ${exportId}`,
    `X-Archive-Chat: ${chat.id}`,
    `X-Archive-Chat-Name: ${headerText(chat.name)}`,
    `X-Archive-Chat-Type: ${headerText(chat.type)}`,
    `X-Archive-Day: ${day}`,
    `X-Archive-Part: ${part}`,
    `X-Archive-Records: ${records.length}, from ${first?.seq} to ${last?.seq}`,
    `X-Archive-Participants: ${mail.participants.length}`,
  ]
}

/** Who wrote first; else who did something first. */
function sender({ records, participants }: ConversationMail): Participant {
  const first = records.find(({ kind }) => kind === 'message.sent') ?? records[0]
  const id = first?.member_id ?? first?.actor_id ?? 'server'
  const known = participants.find((each) => each.id === id)
  if (known) return known
  const { member } = JSON.parse(first?.content ?? '{}') as {
    member?: { name: string; email: string }
  }
  return id === first?.actor_id
    ? { id, name: first.actor_name, email: first.actor_email }
    : { id, name: member?.name ?? PRODUCT_NAME, email: member?.email ?? null }
}

const IMAGES: Record<string, string> = {
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
}
const TYPE = /^[a-z0-9.+-]+\/[a-z0-9.+-]+$/

/** What is no type must not get into a header. */
function typeOf(archived: string | null, name: string): string {
  if (archived && TYPE.test(archived)) return archived
  return IMAGES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
}

function base64Lines(bytes: Uint8Array): string {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += BASE64_LINE)
    lines.push(Buffer.from(bytes.subarray(at, at + BASE64_LINE)).toString('base64'))
  return lines.join('\r\n')
}

/** @throws BackupError for other bytes than were archived: somebody put them there since */
async function writeBase64(
  file: HashedFile,
  folder: string,
  { path, sha256: archived }: MailAttachment,
): Promise<void> {
  const hash = createHash('sha256')
  const bytes = createReadStream(join(folder, path), { highWaterMark: BASE64_LINE * 4096 })
  // Whole lines of each chunk.
  for await (const chunk of bytes) {
    hash.update(chunk as Buffer)
    await file.write(`${base64Lines(chunk as Buffer)}\r\n`)
  }
  if (hash.digest('hex') !== archived)
    throw new BackupError(`${path} was altered while the export was under way: begin a new one.`)
}
