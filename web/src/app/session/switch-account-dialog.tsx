import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { auth } from '#data/session/auth.ts'
import {
  acceptOfferedSession,
  declineOfferedSession,
  type OfferedSession,
} from '#data/session/link-session.ts'
import { signOut } from '#data/session/session.ts'
import { m } from '#lib/messages/messages.js'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { showToast } from '#ui/toast-store.ts'
import { LINK_SCREENS } from './use-link-message.ts'

export function SwitchAccountDialog({ offered }: { offered: OfferedSession }) {
  const [isBusy, setIsBusy] = useState(false)
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const { email, currentEmail, path } = offered

  async function accept() {
    setIsBusy(true)
    const leave = () => (currentEmail === null ? Promise.resolve() : signOut('local'))
    const isOpen = await acceptOfferedSession(offered, await auth(), leave)
    // A full reload, so that nothing of the previous member stays in memory.
    if (isOpen) return location.replace(path)
    decline()
    showToast(m.app_link_failed())
  }

  function decline() {
    declineOfferedSession()
    // The screen was opened for the other account and would speak of this one.
    if (LINK_SCREENS.includes(pathname)) void navigate('/', { replace: true })
  }

  return (
    <ConfirmDialog
      open
      title={m.app_switch_account_title()}
      text={
        currentEmail === null
          ? m.app_switch_account_nobody({ email })
          : m.app_switch_account_text({ current: currentEmail, email })
      }
      confirmLabel={m.app_switch_account()}
      busyText={isBusy && m.ui_loading()}
      onConfirm={() => void accept()}
      onCancel={decline}
    />
  )
}
