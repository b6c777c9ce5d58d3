import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { memberName } from '#domain/member-name.ts'
import { personQuery } from '#domain/person-queries.ts'
import { stateName } from '#domain/us-states.ts'
import { m } from '#lib/messages/messages.js'
import { useDebouncedValue } from '#lib/use-debounced-value.ts'
import { Button } from '#ui/button.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Modal } from '#ui/modal.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { PeopleList } from './people-list.tsx'
import { PEOPLE_ROLES, statesQuery, type PeopleFilter, type PeopleRole } from './people-queries.ts'
import { roleLabel } from './role-labels.ts'
import { NO_FILTER } from './use-people-filter.ts'

const SETTLE_MS = 250
const LEADERS: PeopleFilter = { ...NO_FILTER, role: 'sponsor' }

type FilterSheetProps = {
  filter: PeopleFilter
  onChange: (filter: PeopleFilter) => void
  onClose: () => void
}

/** The filters by role, state and leader. Each takes effect at once; the list is behind the sheet. */
export function FilterSheet({ filter, onChange, onClose }: FilterSheetProps) {
  const [isPicking, setIsPicking] = useState(false)
  if (isPicking) {
    return (
      <LeaderPicker
        onPick={(leaderId) => {
          onChange({ ...filter, leaderId })
          onClose()
        }}
        onClose={() => setIsPicking(false)}
      />
    )
  }
  return (
    <Modal
      open
      onClose={onClose}
      title={m.people_filter()}
      footer={<Button onClick={onClose}>{m.people_filter_done()}</Button>}
    >
      <SelectField
        label={m.people_role()}
        value={filter.role ?? ''}
        onChange={({ target }) =>
          onChange({ ...filter, role: (target.value || null) as PeopleRole | null })
        }
        options={[
          { value: '', label: m.people_everybody() },
          ...PEOPLE_ROLES.map((role) => ({ value: role, label: roleLabel(role) })),
        ]}
      />
      <StateField value={filter.state} onChange={(state) => onChange({ ...filter, state })} />
      <div className="grid gap-2">
        <p className="font-semibold">{m.people_sponsor()}</p>
        <Button variant="ghost" onClick={() => setIsPicking(true)}>
          <LeaderName id={filter.leaderId} />
        </Button>
      </div>
    </Modal>
  )
}

function LeaderName({ id }: { id: string | null }) {
  const { data } = useQuery({ ...personQuery(id ?? ''), enabled: id !== null })
  if (!id) return m.people_choose_leader()
  return data ? memberName({ ...data, email: null }) : '…'
}

type StateFieldProps = { value: string | null; onChange: (state: string | null) => void }

/** Only states that somebody works in; nothing while nobody has said so. */
function StateField({ value, onChange }: StateFieldProps) {
  const { data: states, error, refetch } = useQuery(statesQuery())
  if (error && !states) return <LoadError error={error} onRetry={() => void refetch()} />
  const known = [...new Set([...(states ?? []), ...(value ? [value] : [])])]
  if (states && known.length === 0) return null
  return (
    <SelectField
      label={m.people_state()}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value || null)}
      options={[
        { value: '', label: m.people_every_state() },
        ...known.map((state) => ({ value: state, label: stateName(state) })),
      ]}
    />
  )
}

type LeaderPickerProps = { onPick: (leaderId: string) => void; onClose: () => void }

function LeaderPicker({ onPick, onClose }: LeaderPickerProps) {
  const [typed, setTyped] = useState('')
  const search = useDebouncedValue(typed.trim(), SETTLE_MS)
  return (
    <Modal open onClose={onClose} title={m.people_choose_leader()}>
      <SearchField label={m.people_search()} value={typed} onChange={setTyped} />
      {/* As high as a page, so that the sheet keeps its place while the list changes. */}
      <div className="flex h-96 max-h-[50dvh] flex-col gap-3 overflow-y-auto">
        <PeopleList
          search={search}
          filter={LEADERS}
          onPress={({ id }) => onPick(id)}
          onShowAll={search ? () => setTyped('') : undefined}
        />
      </div>
    </Modal>
  )
}
