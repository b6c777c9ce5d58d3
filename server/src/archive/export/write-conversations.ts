// The conversations as mails, in bounded memory: a long one comes in parts.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { readInPages } from '../read-in-pages.ts'
import { RECORD_COLUMNS, type RecordRow } from '../record-line.ts'
import { openHistory } from './conversation-history.ts'
import { writeMail, type MailAttachment } from './conversation-mail.ts'
import type { ExportProgress } from './export-state.ts'
import { sizeOf, writeWhole } from './hashed-file.ts'
import { attachmentPath } from './write-attachments.ts'

type Row = RecordRow & {
  day: string
  file_type: string | null
  file_path: string | null
  file_sha256: string | null
}

const MOST_RECORDS = 1_000
const MOST_CHARACTERS = 1_000_000
const MOST_ATTACHED_BYTES = 20_000_000
const NOTE_EVERY = 50

const READ = `
  select c.*, f.content ->> 'path' as file_path, f.content ->> 'sha256' as file_sha256
  from (
    select ${RECORD_COLUMNS}, to_char(r.recorded_at at time zone 'UTC', 'YYYY-MM-DD') as day, r.seq as number,
      r.content -> 'attachment' ->> 'type' as file_type, r.chat_id as chat, r.kind = 'message.sent' and r.content -> 'attachment' is not null as has_file,
      r.subject_id as message
    from export_selection x join archive.records r using (seq)
    where r.chat_id is not null
      and (r.kind like 'message.%' or r.kind like 'reaction.%' or r.kind like 'chat.%')
  ) c
  left join lateral (
    select f.content from archive.records f
    where c.has_file and f.subject_id = c.message and f.kind = 'message.file' and f.seq <= $3
      and f.content ->> 'sha256' is not null
    order by f.seq limit 1
  ) f on true
  where (c.chat_id collate "C", c.day collate "C") > ($1, $2)
  order by c.chat_id collate "C", c.day collate "C", c.number`

/** Writes `eml/CHAT/DAY.eml`, and `DAY-2.eml` and so on for what follows. */
export async function writeConversations(
  client: GuardedClient,
  folder: string,
  progress: ExportProgress,
  passed: (records: number) => void,
): Promise<void> {
  const { state } = progress
  const { extent, id: exportId } = state
  const done = { ...state.conversations }
  passed(done.records)
  if (done.isDone || !state.formats.includes('eml')) return
  let history: Awaited<ReturnType<typeof openHistory>> | null = null
  let current = { chat: '', day: '', part: 0 }
  let records: RecordRow[] = []
  let attachments: MailAttachment[] = []
  let [characters, attachedBytes] = [0, 0]

  async function finishPart() {
    const [first] = records
    if (!first) return
    const { chat, day } = current
    const part = ++current.part
    if (part === 1) done.count++
    const path = `eml/${chat}/${day}${part > 1 ? `-${part}` : ''}.eml`
    const { name, type, participants } = (await history?.between(
      Number(first.seq),
      Number(records.at(-1)?.seq),
    )) ?? { name: '', type: 'group', participants: [] }
    const title =
      name ||
      participants
        .map((each) => each.name ?? each.email ?? '')
        .slice(0, 2)
        .join(', ')
    const mail = {
      exportId,
      chat: { id: chat, name: title, type },
      day,
      part,
      records,
      participants,
      attachments,
    }
    const written = await writeWhole(join(folder, path), (file) => writeMail(file, folder, mail))
    progress.list({ path, ...written })
    done.records += records.length
    passed(records.length)
    records = []
    attachments = []
    characters = 0
    attachedBytes = 0
  }
  async function finishDay() {
    await finishPart()
    Object.assign(done, { chat: current.chat, day: current.day })
    if (done.count % NOTE_EVERY === 0) await progress.note({ conversations: { ...done } })
  }

  const rows = readInPages<Row>(client, 'export_conversations', READ, [
    done.chat,
    done.day,
    extent.toSeq,
  ])
  for await (const { day, file_type, file_path, file_sha256, ...record } of rows) {
    const chat = record.chat_id ?? ''
    if (chat !== current.chat || day !== current.day) {
      if (current.chat) await finishDay()
      if (chat !== current.chat) {
        await history?.close()
        history = await openHistory(client, chat, extent)
        await mkdir(join(folder, 'eml', chat), { recursive: true })
      }
      current = { chat, day, part: 0 }
    }
    const attachment = await attachmentOf(folder, file_path, file_sha256, file_type)
    if (
      records.length >= MOST_RECORDS ||
      characters >= MOST_CHARACTERS ||
      attachedBytes + (attachment?.bytes ?? 0) > MOST_ATTACHED_BYTES
    )
      await finishPart()
    records.push(record)
    characters += record.content.length
    if (attachment && !attachments.some(({ path }) => path === attachment.path)) {
      attachments.push(attachment)
      attachedBytes += attachment.bytes
    }
  }
  if (current.chat) await finishDay()
  await history?.close()
  await progress.note({ conversations: { ...done, isDone: true } })
}

async function attachmentOf(
  folder: string,
  path: string | null,
  sha256: string | null,
  type: string | null,
): Promise<MailAttachment | null> {
  if (!path || !sha256) return null
  const at = attachmentPath({ path, sha256 })
  const bytes = await sizeOf(join(folder, at))
  return bytes === null ? null : { path: at, sha256, bytes, type }
}
