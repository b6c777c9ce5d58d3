import { Server } from 'lucide-react'
import { formatClockTime } from '#domain/clock-time.ts'
import { viewerZone } from '#lib/i18n/format-moment.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Pressable } from '#ui/pressable.tsx'
import { KIND_LOOKS, type AuditKind } from './audit-kinds.ts'
import type { AuditEntry } from './audit-queries.ts'
import { actorName } from './entry-names.ts'
import { sentenceOf } from './sentences/sentence-of.ts'

type Props = { entry: AuditEntry; onOpen: () => void }

/** One entry as a sentence; opens what was there before and after. */
export function EntryRow({ entry, onOpen }: Props) {
  const { name, Picture } = KIND_LOOKS[entry.kind as AuditKind]
  return (
    <Pressable
      onClick={onOpen}
      className="flex min-h-14 w-full items-center gap-3 px-4 py-2.5 text-left transition hover:bg-tint"
    >
      <ActorPicture entry={entry} />
      <span className="min-w-0 flex-1">
        <span className="line-clamp-3 leading-snug break-words">{sentenceOf(entry)}</span>
        <span className="flex items-center gap-1.5 text-note text-muted tabular-nums">
          <Picture aria-hidden="true" className="size-4 flex-none" />
          {name()} · {formatClockTime(Date.parse(entry.recorded_at), viewerZone())}
        </span>
      </span>
    </Pressable>
  )
}

function ActorPicture({ entry }: { entry: AuditEntry }) {
  if (entry.actor_id) return <Avatar name={actorName(entry)} seed={entry.actor_id} />
  return (
    <span className="grid size-11 flex-none place-items-center rounded-full bg-tint text-muted">
      <Server aria-hidden="true" className="size-5" />
    </span>
  )
}
