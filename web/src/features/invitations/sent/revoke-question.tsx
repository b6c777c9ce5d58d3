import { useQuery } from '@tanstack/react-query'
import { registrationQuery } from '#domain/registration.ts'
import { m } from '#lib/messages/messages.js'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'

type Props = {
  /** How many would be taken back; 0 closes it. */
  count: number
  isBusy: boolean
  onCancel: () => void
  onConfirm: () => void
}

/** Asks before invitations are taken back, and says what that does not prevent. */
export function RevokeQuestion({ count, isBusy, onCancel, onConfirm }: Props) {
  const { data: rules } = useQuery(registrationQuery())
  return (
    <ConfirmDialog
      open={count > 0}
      title={m.invitations_revoke_title({ count })}
      text={`${m.invitations_revoke_text()} ${consequence(rules?.registration)}`.trim()}
      confirmLabel={m.invitations_revoke()}
      busyText={isBusy && m.invitations_revoking()}
      isDestructive
      onCancel={onCancel}
      onConfirm={onConfirm}
    />
  )
}

function consequence(registration: string | undefined): string {
  if (registration === 'open') return m.invitations_revoke_open()
  if (registration === 'approval') return m.invitations_revoke_approval()
  if (registration === 'invitation') return m.invitations_revoke_invitation()
  return ''
}
