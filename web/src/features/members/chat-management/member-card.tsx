import { lazy, Suspense } from 'react'
import { nameOrAddress } from '#domain/member-name.ts'
import { m } from '#lib/messages/messages.js'
import { Avatar } from '#ui/avatar.tsx'
import { Chip } from '#ui/chip.tsx'
import { PillSwitch } from '#ui/switch.tsx'
import type { ManagedMember } from './managed-members.ts'
import { PERMISSIONS } from './permissions.ts'
import { useChangeMembers } from './use-change-members.ts'

// Menus are heavy; the list is there before them.
const RoleMenu = lazy(async () => ({ default: (await import('./role-menu.tsx')).RoleMenu }))

type Props = { member: ManagedMember; isLastAdmin: boolean }

/** A member with a switch for each permission; the role is behind a menu. */
export function MemberCard({ member, isLastAdmin }: Props) {
  const { mutate } = useChangeMembers(`member ${member.id}`)
  const ids = [member.id]
  const name = nameOrAddress(member)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-1.5 lg:grid-cols-[minmax(0,1fr)_auto_auto]">
      <div className="flex items-center gap-3 py-1">
        <Avatar name={name} seed={member.id} size="sm" />
        <div className="min-w-0 flex-1">
          <h2 className="line-clamp-2 font-semibold wrap-anywhere">{name}</h2>
          <p className="truncate text-note text-muted">{member.email}</p>
        </div>
        {member.role === 'admin' && <Chip>{m.admin_is_admin()}</Chip>}
      </div>
      <div className="-mr-2">
        <Suspense fallback={<span className="block size-11" />}>
          <RoleMenu
            member={member}
            isLastAdmin={isLastAdmin}
            onChange={(role) => mutate({ ids, change: { role } })}
          />
        </Suspense>
      </div>
      <div className="col-span-2 flex flex-wrap gap-x-1 lg:col-span-1">
        {PERMISSIONS.map(({ field, name: permission, shortName }) => (
          <PillSwitch
            key={field}
            label={m.admin_toggle_label({ permission: permission(), name })}
            text={shortName()}
            checked={member[field]}
            onChange={(event) => mutate({ ids, change: { [field]: event.target.checked } })}
          />
        ))}
      </div>
    </div>
  )
}
