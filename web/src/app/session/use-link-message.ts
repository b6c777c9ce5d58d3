import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { showToast } from '#ui/toast-store.ts'

/** Screens that only a mailed link makes sense of. They report a failed one themselves. */
export const LINK_SCREENS = ['/create-account', '/email-verify', '/new-password']

/** Shows the note a mailed link carries in its fragment: the first of two links was opened, or the link failed. */
export function useLinkMessage() {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (LINK_SCREENS.includes(pathname)) return
    const params = new URLSearchParams(hash.slice(1))
    if (!params.has('message') && !params.has('error_code')) return
    showToast(noteOf(params.get('error_code')))
    void navigate(pathname + search, { replace: true })
  }, [pathname, search, hash, navigate])
}

function noteOf(error: string | null): string {
  if (error === null) return m.app_link_accepted()
  // Somebody confirmed the new address for an account meanwhile.
  return error === 'email_exists' ? m.server_email_exists() : m.app_link_failed()
}
