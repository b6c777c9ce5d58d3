import { useState } from 'react'
import { nameOrAddress } from '#domain/member-name.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import type { ManagedMember } from './member-queries.ts'

type Props = {
  member: ManagedMember
  isLastAdmin: boolean
  onChange: (role: 'admin' | 'user') => void
}

/** Makes a member an admin or a regular member, after confirmation; never the last admin (product.md P100). */
export function RoleButton({ member, isLastAdmin, onChange }: Props) {
  const [isAsking, setIsAsking] = useState(false)
  const name = nameOrAddress(member)
  const isAdmin = member.role === 'admin'
  return (
    <div className="mt-2 grid gap-1 lg:mt-0">
      <Button
        variant="ghost"
        aria-label={isAdmin ? m.admin_demote_label({ name }) : m.admin_promote_label({ name })}
        disabled={isLastAdmin}
        onClick={() => setIsAsking(true)}
      >
        {isAdmin ? m.admin_demote() : m.admin_promote()}
      </Button>
      {isLastAdmin && (
        <p className="text-center text-note leading-snug text-muted">{m.admin_last_admin()}</p>
      )}
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
    </div>
  )
}
