// A mailed link may end before its invitation does: on hosted Supabase after a day, or with the next mail. Whoever opens such a
// link gets another one, at the invited address only.
import { callProject } from '../_shared/call-project.ts'
import { mailInvitation } from './invite-each.ts'
import type { Renewal } from './read-invite-order.ts'
import type { Project } from '../_shared/project.ts'

type Renewed = {
  email: string
  first_name: string
  last_name: string
  locale: string
  invited_by_name: string
}

/** Mails the link of a pending invitation again. Who asks learns only whether a mail is on its way. */
export async function renewInvitation(
  { invitationId, redirectTo }: Renewal,
  project: Project,
): Promise<boolean> {
  const values = { invitation_id: invitationId }
  const path = 'rest/v1/rpc/renew_invitation'
  const { refused, data } = await callProject('POST', path, values, project)
  if (refused) throw new Error(`the invitation could not be renewed: ${refused.message}`)
  const [invitation] = data as Renewed[]
  if (!invitation) return false
  const { email, first_name, last_name, locale, invited_by_name } = invitation
  const person = { email, firstName: first_name, lastName: last_name, locale, isValid: true }
  const plan = { invitation_id: invitationId, invited_by_name }
  const { outcome } = await mailInvitation(person, plan, { redirectTo }, project)
  return outcome === 'invited'
}
