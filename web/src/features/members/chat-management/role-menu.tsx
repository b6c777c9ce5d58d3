import { Ellipsis, ShieldMinus, ShieldPlus } from 'lucide-react'
import { useState } from 'react'
import { nameOrAddress } from '#domain/member-name.ts'
import { m } from '#lib/messages/messages.js'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { Menu } from '#ui/menu.tsx'
import type { ManagedMember } from './managed-members.ts'

type Props = {
  member: ManagedMember
  isLastAdmin: boolean
  onChange: (role: 'admin' | 'user') => void
}

/** Makes a member an admin or a regular member, after confirmation; never the last admin (product.md P100). */
export function RoleMenu({ member, isLastAdmin, onChange }: Props) {
  const [isAsking, setIsAsking] = useState(false)
  const name = nameOrAddress(member)
  const isAdmin = member.role === 'admin'
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={m.admin_member_options({ name })}
            icon={<Ellipsis />}
            variant="quiet"
          />
        }
        note={isLastAdmin && m.admin_last_admin()}
        items={[
          {
            label: isAdmin ? m.admin_demote() : m.admin_promote(),
            icon: isAdmin ? <ShieldMinus /> : <ShieldPlus />,
            disabled: isLastAdmin,
            onSelect: () => setIsAsking(true),
          },
        ]}
      />
      <ConfirmDialog
        open={isAsking}
        title={isAdmin ? m.admin_demote_label({ name }) : m.admin_promote_label({ name })}
        text={isAdmin ? m.admin_demote_text({ name }) : m.admin_promote_text({ name })}
        confirmLabel={isAdmin ? m.admin_demote() : m.admin_promote()}
        isDestructive={isAdmin}
        onCancel={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false)
          onChange(isAdmin ? 'user' : 'admin')
        }}
      />
    </>
  )
}
