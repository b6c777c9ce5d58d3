// Checks made with the caller's own token, so that no claim in it has to be trusted: the auth service verifies that the
// session is still valid, the database that its owner is an admin now.
import type { Project } from '../_shared/project.ts'
import type { InviteOrder } from './read-invite-order.ts'
import { Refusal } from '../_shared/refusal.ts'

/** What to do with an address, as `plan_invitations` says. */
export type Plan = {
  email: string
  state: 'due' | 'sent' | 'joined' | 'member'
  invitation_id: string | null
  invited_by_name: string | null
}

/** @throws Refusal 401 */
export async function requireSignedIn(
  token: string,
  { projectUrl, publicKey, fetch }: Project,
): Promise<void> {
  const signInFirst = new Refusal(401, 'Sign in to invite people')
  if (!token) throw signInFirst
  const headers = { apikey: publicKey, authorization: `Bearer ${token}` }
  const response = await fetch(new Request(`${projectUrl}/auth/v1/user`, { headers }))
  if (response.ok) return
  if (response.status < 500) throw signInFirst
  throw new Error(`the auth service responded with ${response.status}`)
}

/** @throws Refusal 403 if the caller is not an admin, 429 above the limit */
export async function planInvitations(
  { people }: InviteOrder,
  token: string,
  { projectUrl, publicKey, fetch }: Project,
): Promise<Plan[]> {
  const response = await fetch(
    new Request(`${projectUrl}/rest/v1/rpc/plan_invitations`, {
      method: 'POST',
      headers: {
        apikey: publicKey,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        people: people.map(({ email, firstName, lastName, locale }) => ({
          email,
          first_name: firstName,
          last_name: lastName,
          language: locale,
        })),
      }),
    }),
  )
  const body = (await response.json()) as Plan[] & { message?: string }
  if (response.ok) return body
  if (response.status >= 500) throw new Error(`the database responded with ${response.status}`)
  throw new Refusal(response.status, body.message ?? 'Refused')
}
