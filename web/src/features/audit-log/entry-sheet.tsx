import { formatCount } from '#lib/i18n/format-count.ts'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { Modal } from '#ui/modal.tsx'
import type { AuditFilters } from './audit-filters.ts'
import type { AuditEntry } from './audit-queries.ts'
import { actorName, nameIn } from './entry-names.ts'
import { fieldName } from './field-names.ts'
import { columnsOf } from './sentences/changed-fields.ts'
import { sentenceOf } from './sentences/sentence-of.ts'
import { valueText } from './value-texts.ts'

type Props = {
  entry: AuditEntry
  onClose: () => void
  onFilter: (filters: Partial<AuditFilters>) => void
}

/** Everything that was recorded of one change. */
export function EntrySheet({ entry, onClose, onFilter }: Props) {
  const { actor_id, details } = entry
  const about = entry.people.filter((id) => id !== actor_id)
  return (
    <Modal
      open
      onClose={onClose}
      title={sentenceOf(entry)}
      description={fullTime(entry.recorded_at)}
    >
      {details.reason && (
        <p className="rounded-field bg-tint px-4 py-3 break-words">
          <span className="block text-note font-semibold">{m.audit_reason()}</span>
          {details.reason}
        </p>
      )}
      <Changes entry={entry} />
      <dl className="grid gap-2">
        <div>
          <dt className="text-note text-muted">{m.audit_by()}</dt>
          <dd className="font-medium break-words">
            {actorName(entry)}
            <span className="block text-note font-normal text-muted">
              {actor_id ? entry.names[actor_id]?.email : m.audit_server_text()}
            </span>
          </dd>
        </div>
        {about.length > 0 && (
          <div>
            <dt className="text-note text-muted">{m.audit_about()}</dt>
            <dd className="break-words">{peopleText(entry)}</dd>
          </div>
        )}
      </dl>
      <div className="flex flex-wrap gap-2">
        {actor_id && (
          <Button size="sm" variant="tint" onClick={() => onFilter({ by: actor_id })}>
            {m.audit_only_by({ name: actorName(entry) })}
          </Button>
        )}
        {about.length === 1 && (
          <Button size="sm" variant="tint" onClick={() => onFilter({ about: about[0] ?? '' })}>
            {m.audit_only_about({ name: nameIn(entry, about[0]) })}
          </Button>
        )}
      </div>
    </Modal>
  )
}

/** Each changed column with its value before and after. */
function Changes({ entry }: { entry: AuditEntry }) {
  return columnsOf(entry).map((column) => (
    <section key={column} className="grid gap-1.5">
      <h3 className="text-small font-semibold">{fieldName(entry.kind, column)}</h3>
      <dl className="grid gap-px overflow-hidden rounded-field border border-line bg-line">
        {entry.before && (
          <Value label={m.audit_before()} text={valueText(entry, column, entry.before[column])} />
        )}
        {entry.after && (
          <Value label={m.audit_after()} text={valueText(entry, column, entry.after[column])} />
        )}
      </dl>
    </section>
  ))
}

function Value({ label, text }: { label: string; text: string }) {
  return (
    <div className="grid grid-cols-[5rem_1fr] gap-3 bg-card px-3.5 py-2.5">
      <dt className="text-note text-muted">{label}</dt>
      <dd className="min-w-0 break-words whitespace-pre-line">{text}</dd>
    </div>
  )
}

function peopleText(entry: AuditEntry): string {
  const names = entry.people.map((id) => nameIn(entry, id))
  const left = entry.people_count - names.length
  if (left > 0) names.push(m.audit_more({ count: formatCount(left) }))
  return names.join(', ')
}

function fullTime(at: string): string {
  const format = new Intl.DateTimeFormat(formatLocale(), { dateStyle: 'full', timeStyle: 'medium' })
  return format.format(new Date(at))
}
