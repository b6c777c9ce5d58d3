import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { ResultRow } from '#data/database.ts'
import { useReorder } from '#data/live/use-reorder.ts'
import { SettingChange } from '#domain/changed-by.tsx'
import { memberName } from '#domain/member-name.ts'
import { vicePresidentsQuery } from '#domain/vice-presidents.ts'
import { formatList } from '#lib/i18n/format-list.ts'
import { m } from '#lib/messages/messages.js'
import { Avatar } from '#ui/avatar.tsx'
import { Button, buttonLook } from '#ui/button.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Modal } from '#ui/modal.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { SortableList } from '#ui/sortable-list.tsx'
import { Switch } from '#ui/switch.tsx'
import { orderVicePresidents, setVicePresident, type MemberDetails } from './member-queries.ts'
import { useMemberChange } from './use-member-change.ts'

type VicePresident = ResultRow<'vice_presidents'>

const nameOf = (person: VicePresident) => memberName({ ...person, email: null })

type SwitchProps = { member: MemberDetails; onOrder: () => void }

/** Whether Home names the member; of several, in which order. */
export function VicePresidentSwitch({ member, onOrder }: SwitchProps) {
  const choose = useMemberChange(
    (isOn: boolean) => setVicePresident(member.id, isOn),
    `vice president ${member.id}`,
  )
  const isChosen = choose.isPending ? choose.variables : member.is_vice_president
  const { data: named } = useQuery({ ...vicePresidentsQuery(), enabled: member.is_vice_president })
  return (
    <>
      <Switch
        label={m.members_vice_president()}
        checked={isChosen}
        onChange={(event) => choose.mutate(event.target.checked)}
      />
      {isChosen && named && named.length > 1 && (
        <Button variant="tint" size="sm" onClick={onOrder}>
          {m.members_vice_president_order()}
        </Button>
      )}
    </>
  )
}

/** Whom Home names, with the ways to choose them and to put them in another order. */
export function VicePresidents({ people }: { people: VicePresident[] }) {
  const [isOrdering, setIsOrdering] = useState(false)
  return (
    <div className="grid grid-cols-1 gap-2.5">
      <p className="font-semibold">{m.members_vice_presidents()}</p>
      <p className="wrap-anywhere">
        {people.length === 0 ? m.members_vice_presidents_none() : formatList(people.map(nameOf))}
      </p>
      <p className="text-note text-muted">{m.members_vice_presidents_hint()}</p>
      <div className="flex flex-wrap gap-2">
        <Link to="/admin/members" className={buttonLook('tint', 'sm')}>
          {m.members_vice_presidents_choose()}
        </Link>
        {people.length > 1 && (
          <Button variant="tint" size="sm" onClick={() => setIsOrdering(true)}>
            {m.members_vice_president_order()}
          </Button>
        )}
      </div>
      <SettingChange setting="vice_presidents" />
      {isOrdering && <VicePresidentOrder onClose={() => setIsOrdering(false)} />}
    </div>
  )
}

/** The vice presidents as Home names them, to be dragged into another order. */
export function VicePresidentOrder({ onClose }: { onClose: () => void }) {
  const { data: named, error, refetch } = useQuery(vicePresidentsQuery())
  const reorder = useReorder<VicePresident>({
    mutationKey: ['team_settings', 'order'],
    queryKey: vicePresidentsQuery().queryKey,
    save: orderVicePresidents,
    inOrder: (_, people) => people,
    errorTitle: m.members_error_saving,
  })
  const people = named?.map((person) => ({
    ...person,
    title: nameOf(person),
  }))
  return (
    <Modal
      open
      onClose={onClose}
      title={m.members_vice_president_order()}
      description={m.members_vice_president_order_text()}
    >
      {people && (
        <SortableList
          items={people}
          canSort
          onReorder={(moved) => reorder.mutate(moved)}
          row={({ id, title }, handle) => (
            <div className="flex min-h-14 items-center gap-3 rounded-card border border-line bg-card p-2 pr-4">
              {handle}
              <Avatar name={title} seed={id} size="sm" />
              <span className="min-w-0 font-medium break-words">{title}</span>
            </div>
          )}
        />
      )}
      {!people && !error && <SkeletonRows />}
      {!people && error && (
        <LoadError
          error={error}
          describe={(message) => m.members_error({ message })}
          onRetry={() => void refetch()}
        />
      )}
    </Modal>
  )
}
