import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MemberPicker } from '#domain/member-picker.tsx'
import { m } from '#lib/messages/messages.js'
import { SearchField } from '#ui/search-field.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { SERVER, type AuditFilters, type Period } from './audit-filters.ts'
import { AUDIT_KINDS, KIND_LOOKS, type AuditKind } from './audit-kinds.ts'
import { filteredNameQuery } from './audit-queries.ts'

const PERIODS: Record<Period, () => string> = {
  any: m.audit_when_any,
  today: m.audit_when_today,
  week: m.audit_when_week,
  month: m.audit_when_month,
  days: m.audit_when_days,
}

type Props = {
  filters: AuditFilters
  words: string
  onChange: (changed: Partial<AuditFilters>) => void
  onWords: (words: string) => void
}

/** Narrows the log down by words, kind, person and time. */
export function FilterFields({ filters, words, onChange, onWords }: Props) {
  return (
    <div className="grid grid-cols-2 items-start gap-2.5 lg:grid-cols-[2fr_1fr_1fr_1fr]">
      <div className="col-span-2 self-end lg:col-span-1">
        <SearchField isTall label={m.audit_search()} value={words} onChange={onWords} />
      </div>
      <SelectField
        label={m.audit_kind()}
        value={filters.kind}
        onChange={(event) => onChange({ kind: event.target.value as AuditKind | '' })}
        options={[
          { value: '', label: m.audit_kind_all() },
          ...AUDIT_KINDS.map((kind) => ({ value: kind, label: KIND_LOOKS[kind].name() })),
        ]}
      />
      <PersonField filters={filters} onChange={onChange} />
      <div className="col-span-2 lg:col-span-1">
        <SelectField
          label={m.audit_when()}
          value={filters.when}
          onChange={(event) => onChange({ when: event.target.value as Period, from: '', to: '' })}
          options={Object.entries(PERIODS).map(([value, label]) => ({ value, label: label() }))}
        />
      </div>
      {filters.when === 'days' && (
        <>
          <TextField
            type="date"
            label={m.audit_from()}
            max={filters.to}
            value={filters.from}
            onChange={(event) => onChange({ from: event.target.value })}
          />
          <TextField
            type="date"
            label={m.audit_to()}
            min={filters.from}
            value={filters.to}
            error={
              filters.from && filters.to && filters.to < filters.from
                ? m.audit_days_order()
                : undefined
            }
            onChange={(event) => onChange({ to: event.target.value })}
          />
        </>
      )}
    </div>
  )
}

/** What the select offers besides who is chosen. */
const CHOOSE = { by: 'choose-by', about: 'choose-about' } as const

type PersonProps = Pick<Props, 'filters' | 'onChange'>

function PersonField({ filters: { by, about }, onChange }: PersonProps) {
  const [choosing, setChoosing] = useState<keyof typeof CHOOSE | null>(null)
  const { data: byName } = useQuery(filteredNameQuery(by))
  const { data: aboutName } = useQuery(filteredNameQuery(about))
  const chosen = about ? 'about' : by
  return (
    <>
      <SelectField
        label={m.audit_person()}
        value={chosen}
        onChange={({ target: { value } }) => {
          if (value === CHOOSE.by) setChoosing('by')
          else if (value === CHOOSE.about) setChoosing('about')
          else onChange({ by: value, about: '' })
        }}
        options={[
          { value: '', label: m.audit_person_anyone() },
          ...(about
            ? [{ value: 'about', label: m.audit_person_about({ name: aboutName ?? '…' }) }]
            : []),
          ...(by && by !== SERVER
            ? [{ value: by, label: m.audit_person_by({ name: byName ?? '…' }) }]
            : []),
          { value: CHOOSE.by, label: m.audit_person_choose_by() },
          { value: CHOOSE.about, label: m.audit_person_choose_about() },
          { value: SERVER, label: m.audit_person_server() },
        ]}
      />
      {choosing && (
        <MemberPicker
          title={choosing === 'by' ? m.audit_choose_by() : m.audit_choose_about()}
          filter="all"
          onPick={(member) => {
            setChoosing(null)
            onChange({ by: '', about: '', [choosing]: member?.id ?? '' })
          }}
          onClose={() => setChoosing(null)}
        />
      )}
    </>
  )
}
