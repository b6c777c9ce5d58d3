import type { Factor, Session } from '@supabase/auth-js'

/** The verified authenticator apps of the session's account, as of its last sign-in or refresh. */
export function verifiedFactors({ user }: Session): Factor[] {
  return (user.factors ?? []).filter(
    ({ factor_type, status }) => factor_type === 'totp' && status === 'verified',
  )
}

/** Whether the account has a second factor that this session has yet to show. */
export function needsCode(session: Session): boolean {
  return verifiedFactors(session).length > 0 && assuranceOf(session) !== 'aal2'
}

/** `aal2` once a second factor was shown in this session. */
export function assuranceOf(session: Session): string {
  return claimOf(session, 'aal')
}

/** What the access token says; empty if it says nothing of the kind. */
export function claimOf({ access_token }: Session, name: 'aal' | 'session_id'): string {
  const payload = access_token.split('.')[1] ?? ''
  try {
    const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as object
    return name in claims ? String((claims as Record<string, unknown>)[name]) : ''
  } catch {
    return ''
  }
}
