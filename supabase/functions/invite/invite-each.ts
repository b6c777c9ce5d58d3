import type { Plan } from './ask-as-caller.ts'
import type { InviteSurroundings } from './surroundings.ts'
import type { Invited, InviteOrder } from './read-invite-order.ts'

export type Outcome = 'invited' | 'already_a_member' | 'invalid' | 'failed'
export type InviteResult = { email: string; outcome: Outcome; message?: string }

/** Concurrent invitations: fast for a hundred people without crowding the auth service. */
const AT_ONCE = 4

/** Invites everybody and returns the outcomes in order. One failure does not stop the rest. */
export async function inviteEach(
  order: InviteOrder,
  plans: Plan[],
  surroundings: InviteSurroundings,
): Promise<InviteResult[]> {
  const results: InviteResult[] = []
  const waiting = [...order.people.entries()]
  async function work() {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [place, person] = next
      const plan = plans.find(({ email }) => email === person.email)
      results[place] = await inviteOne(person, plan, order, surroundings)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results
}

async function inviteOne(
  person: Invited,
  plan: Plan | undefined,
  order: InviteOrder,
  surroundings: InviteSurroundings,
): Promise<InviteResult> {
  const { email } = person
  if (!person.isValid) return { email, outcome: 'invalid' }
  if (plan?.state === 'member') return { email, outcome: 'already_a_member' }
  try {
    // The app asks for a password while `needs_password` is set.
    const data = {
      first_name: person.firstName,
      last_name: person.lastName,
      locale: order.locale,
      needs_password: true,
    }
    if (plan?.account_id) await takeOver(plan.account_id, data, surroundings)
    const redirect = new URLSearchParams({ redirect_to: order.redirectTo }).toString()
    const answer = await callAuth('POST', `invite?${redirect}`, { email, data }, surroundings)
    if (!answer) return { email, outcome: 'invited' }
    if (answer.code === 'email_exists') return { email, outcome: 'already_a_member' }
    return { email, outcome: 'failed', message: answer.message }
  } catch (error) {
    console.error(error)
    return { email, outcome: 'failed' }
  }
}

/** An unconfirmed sign-up may be a stranger's; its password must not open the account that the invitation confirms. */
async function takeOver(id: string, user_metadata: object, surroundings: InviteSurroundings) {
  const password = crypto.randomUUID() + crypto.randomUUID()
  const body = { password, user_metadata }
  const refused = await callAuth('PUT', `admin/users/${id}`, body, surroundings)
  if (refused) throw new Error(`the earlier sign-up could not be reset: ${refused.message}`)
}

/** Calls the auth service with the secret key. Returns the error it answered with, if any. */
async function callAuth(
  method: string,
  path: string,
  body: object,
  { projectUrl, secretKey, fetch }: InviteSurroundings,
): Promise<{ code: string; message: string } | null> {
  // Legacy keys are JWTs and go into both headers; new secret keys are not JWTs.
  const bearer: Record<string, string> = secretKey.startsWith('sb_')
    ? {}
    : { authorization: `Bearer ${secretKey}` }
  const response = await fetch(
    new Request(`${projectUrl}/auth/v1/${path}`, {
      method,
      headers: {
        apikey: secretKey,
        'content-type': 'application/json',
        'x-supabase-api-version': '2024-01-01',
        ...bearer,
      },
      body: JSON.stringify(body),
    }),
  )
  const answer = (await response.json().catch(() => ({}))) as { code?: string; message?: string }
  if (response.ok) return null
  return { code: answer.code ?? '', message: answer.message ?? `answered ${response.status}` }
}
