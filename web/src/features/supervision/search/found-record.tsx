import { formatMoment } from '#lib/i18n/format-moment.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { Chip } from '#ui/chip.tsx'
import { kindName } from './record-kinds.ts'
import type { FoundMessage, FoundRecord as Found, Version } from './search-queries.ts'

/** A record with what was said, where, and what became of it. */
export function FoundRecord({
  record,
  onOpen,
}: {
  record: Found
  onOpen: (message: FoundMessage) => void
}) {
  const { actor_name, actor_email, actor_role, member_name, chat_title, record_kind } = record
  const { chat_id: chatId, subject_id: messageId } = record
  const server = m.archive_search_server({ role: actor_role })
  const isMessage = record_kind.startsWith('message.')
  // What a server stored for somebody, such as messages from before, was said by them.
  const isStoredForThem = isMessage && !actor_name && Boolean(member_name)
  const actor = isStoredForThem ? member_name : (actor_name ?? server)
  const versions = record.versions as Version[]
  const own = versions.find(({ seq }) => seq === record.seq)
  const later = versions.filter(({ seq }) => seq > record.seq)
  return (
    <article className="grid gap-1.5 rounded-card border border-line bg-card p-4 shadow-card">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-note text-muted">
        <Chip tone={record_kind === 'message.sent' ? 'primary' : 'quiet'}>
          {kindName(record_kind)}
        </Chip>
        <span className="font-semibold wrap-anywhere text-ink" title={actor_email ?? undefined}>
          {actor}
        </span>
        {isStoredForThem && <span>{server}</span>}
        {member_name && member_name !== actor && (
          <span className="wrap-anywhere">{m.archive_search_about({ name: member_name })}</span>
        )}
        {chat_title && <span className="wrap-anywhere">{chat_title}</span>}
        <span className="tabular-nums">
          {formatMoment(record.recorded_at)} · #{record.seq}
        </span>
      </p>
      {own?.kind === 'message.edited' && own.before && (
        <p className="text-note wrap-anywhere whitespace-pre-wrap text-muted">
          {m.archive_search_before({ text: own.before })}
        </p>
      )}
      <Said text={record.said} />
      <Reason reason={own?.reason} />
      {later.map((version) => (
        <div key={version.seq} className="border-t border-line pt-1.5">
          <p className="text-note text-muted tabular-nums">
            {[kindName(version.kind), version.actor_name, formatMoment(version.recorded_at)]
              .filter(Boolean)
              .join(' · ')}
          </p>
          {version.kind === 'message.edited' && <Said text={version.text} />}
          <Reason reason={version.reason} />
        </div>
      ))}
      {isMessage && chatId && messageId && (
        <Button
          size="sm"
          variant="tint"
          className="min-h-11 justify-self-start"
          onClick={() => onOpen({ chatId, messageId, chatTitle: chat_title })}
        >
          {m.archive_search_open()}
        </Button>
      )}
    </article>
  )
}

function Said({ text }: { text: string | null | undefined }) {
  return text ? <p className="wrap-anywhere whitespace-pre-wrap">{text}</p> : null
}

function Reason({ reason }: { reason: string | undefined }) {
  return reason ? (
    <p className="text-note wrap-anywhere">{m.archive_search_reason_given({ reason })}</p>
  ) : null
}
