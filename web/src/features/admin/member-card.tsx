import { nameOrAddress } from '#domain/member-name.ts'
import { PRODUCT_NAME } from '#domain/product.ts'
import { m } from '#lib/messages/messages.js'
import { Avatar } from '#ui/avatar.tsx'
import { Card } from '#ui/card.tsx'
import { Chip } from '#ui/chip.tsx'
import { Switch } from '#ui/switch.tsx'
import type { ManagedMember, Permission } from './member-queries.ts'
import { RoleButton } from './role-button.tsx'
import { useChangeMember } from './use-change-member.ts'

const PERMISSIONS: { field: Permission; name: () => string }[] = [
  { field: 'rally_enabled', name: () => m.admin_toggle_product({ product: PRODUCT_NAME }) },
  { field: 'can_create_chats', name: m.admin_toggle_create },
  { field: 'can_send_messages', name: m.admin_toggle_send },
]

/** On a large display the members form a table with these columns. */
const COLUMNS =
  'lg:grid lg:grid-cols-[minmax(0,1fr)_7rem_10rem_11rem_10rem] lg:items-center lg:gap-3'

/** Column headings, visual only: every switch and button has a full accessible name. */
export function MemberColumns() {
  return (
    <div
      aria-hidden="true"
      className={`hidden border-b border-line px-4 py-3 text-note font-semibold text-muted ${COLUMNS}`}
    >
      <span>{m.admin_member()}</span>
      {PERMISSIONS.map(({ field, name }) => (
        <span key={field} className="text-center">
          {name()}
        </span>
      ))}
      <span className="text-center">{m.admin_role()}</span>
    </div>
  )
}

export function MemberCard({
  member,
  isLastAdmin,
}: {
  member: ManagedMember
  isLastAdmin: boolean
}) {
  const change = useChangeMember(member.id)
  const name = nameOrAddress(member)
  return (
    <Card className={`lg:rounded-none lg:border-0 lg:py-2.5 lg:shadow-none ${COLUMNS}`}>
      <div className="flex flex-wrap items-center gap-3">
        <Avatar name={name} seed={member.id} />
        <div className="min-w-0 flex-1 basis-20">
          <h2 className="truncate font-semibold">{name}</h2>
          <p className="truncate text-note text-muted">{member.email}</p>
        </div>
        {member.role === 'admin' && <Chip>{m.admin_is_admin()}</Chip>}
      </div>
      <div className="mt-2 divide-y divide-line lg:contents">
        {PERMISSIONS.map(({ field, name: permission }) => (
          <div
            key={field}
            className="flex min-h-12 items-center justify-between gap-3 lg:justify-center lg:border-0"
          >
            <span aria-hidden="true" className="lg:hidden">
              {permission()}
            </span>
            <Switch
              hideLabel
              label={m.admin_toggle_label({ permission: permission(), name })}
              checked={member[field]}
              onChange={(event) => change.mutate({ [field]: event.target.checked })}
            />
          </div>
        ))}
      </div>
      <RoleButton
        member={member}
        isLastAdmin={isLastAdmin}
        onChange={(role) => change.mutate({ role })}
      />
    </Card>
  )
}
