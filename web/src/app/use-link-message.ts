import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { showToast } from '#ui/toast-store.ts'

/** These tell of a link that failed in their own words. */
const TELL_THEMSELVES = ['/create-account', '/email-verify', '/new-password']

/** A mailed link may lead to any page with a note behind the #: that one of two links was opened, or that it failed. */
export function useLinkMessage() {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (TELL_THEMSELVES.includes(pathname)) return
    const told = new URLSearchParams(hash.slice(1))
    if (!told.has('message') && !told.has('error_code')) return
    showToast(told.has('error_code') ? m.app_link_failed() : m.app_link_accepted())
    void navigate(pathname + search, { replace: true })
  }, [pathname, search, hash, navigate])
}
