// A conversation in words, as plain text and as HTML: one line for each record, so every version of a message is there.
import type { RecordRow } from '../record-line.ts'

export type TranscriptLine = {
  seq: string
  time: string
  who: string
  what: string
  texts: { label: string | null; text: string }[]
}

const DID: Record<string, string> = {
  'message.sent': 'wrote',
  'message.edited': 'edited',
  'message.deleted': 'deleted',
  'message.restored': 'took back the deletion of',
  'message.removed': 'removed',
  'message.changed': 'changed the sender, the time or the chat of',
  'message.erased': 'erased',
  'message.file': 'recorded the file of',
  'message.pinned': 'pinned',
  'message.unpinned': 'unpinned',
  'reaction.added': 'reacted to',
  'reaction.removed': 'took back a reaction to',
  'reaction.changed': 'changed a reaction to',
}

type Content = Record<string, unknown> & { member?: { name?: string; email?: string } }

export function transcriptLine(record: RecordRow): TranscriptLine {
  const content = JSON.parse(record.content) as Content
  const { kind } = record
  const person = (name?: string | null, email?: string | null) =>
    [name, email && `<${email}>`].filter(Boolean).join(' ')
  const actor = person(record.actor_name, record.actor_email) || `(${record.actor_role})`
  const about = content.member ? person(content.member.name, content.member.email) : ''
  const message = record.subject_id ? `message ${record.subject_id.slice(0, 8)}` : ''
  const did = DID[kind]
  const texts: TranscriptLine['texts'] = []
  const show = (label: string | null, value: unknown) => {
    if (value === undefined || value === null || value === '') return
    texts.push({ label, text: typeof value === 'string' ? value : JSON.stringify(value) })
  }
  show(kind === 'message.edited' ? 'Before' : 'before', content.before)
  if (kind === 'message.edited') show('After', content.text)
  else show(kind === 'message.sent' ? null : 'text', content.text)
  show('after', content.after)
  show('reason', content.reason)
  show('name', content.name)
  show('reaction', content.emoji)
  show('in reply to message', content.reply_to)
  show('forwarded from message', content.forwarded_from)
  show('attachment', content.attachment)
  show('file', content.path)
  show('SHA-256', content.sha256)
  if (content.is_missing) show('file', 'was not there')
  if (content.snapshot) show('note', 'Written before the archive began; recorded when it did')
  return {
    seq: record.seq,
    time: record.recorded_at,
    who: actor,
    what: did
      ? `${did} ${message}${about ? `, of ${about}` : ''}`
      : `${kind}${about ? `: ${about}` : ''}`,
    texts,
  }
}

export function asText({ seq, time, who, what, texts }: TranscriptLine): string {
  const indented = texts.map(({ label, text }) => {
    const [first = '', ...rest] = `${label ? `${label}: ` : ''}${text}`.split(/\r\n|\r|\n/)
    return [first, ...rest].map((line) => `    ${line}`).join('\r\n')
  })
  return `${[`[${time}] #${seq} ${who} ${what}`, ...indented].join('\r\n')}\r\n`
}

export function asHtml({ seq, time, who, what, texts }: TranscriptLine): string {
  const lines = texts.map(
    ({ label, text }) =>
      `<p>${label ? `<b>${escapeHtml(label)}:</b> ` : ''}<span>${escapeHtml(text)}</span></p>`,
  )
  return (
    `<tr id="r${seq}"><td>${seq}</td><td>${time}</td><td>${escapeHtml(who)}</td>` +
    `<td>${escapeHtml(what)}${lines.join('')}</td></tr>\r\n`
  )
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
