import { useState } from 'react'
import { memberName } from '#domain/member-name.ts'
import { m } from '#lib/messages/messages.js'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Switch } from '#ui/switch.tsx'
import { showToast } from '#ui/toast-store.ts'
import { setSupervisor, type MemberDetails } from './member-queries.ts'
import { useMemberChange } from './use-member-change.ts'

/**
 * Whether the member supervises the team; asks first, since it opens every chat to them. The database refuses it to an
 * admin's own account while there is another one.
 */
export function SupervisorSwitch({ member }: { member: MemberDetails }) {
  const name = memberName(member)
  const [asked, setAsked] = useState<boolean | null>(null)
  const choose = useMemberChange(async (isOn: boolean) => {
    await setSupervisor(member.id, isOn)
    showToast(isOn ? m.members_now_supervises({ name }) : m.members_no_longer_supervises({ name }))
  })
  const texts = member.can_supervise
    ? {
        title: m.members_stop_supervising_title({ name }),
        text: m.members_stop_supervising_text(),
        confirmLabel: m.members_stop_supervising(),
      }
    : {
        title: m.members_let_supervise_title({ name }),
        text: m.members_let_supervise_text(),
        confirmLabel: m.members_let_supervise(),
      }
  return (
    <>
      <Switch
        label={m.members_supervises()}
        checked={choose.isPending ? choose.variables : member.can_supervise}
        onChange={(event) => setAsked(event.target.checked)}
      />
      <ConfirmDialog
        open={asked !== null}
        {...texts}
        busyText={choose.isPending && m.members_saving()}
        onCancel={() => setAsked(null)}
        onConfirm={() => {
          if (asked !== null) choose.mutate(asked, { onSettled: () => setAsked(null) })
        }}
      />
    </>
  )
}
