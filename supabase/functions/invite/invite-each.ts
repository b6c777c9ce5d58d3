import type { Plan } from './ask-as-caller.ts'
import { callProject, type Refused } from '../_shared/call-project.ts'
import type { Project } from '../_shared/project.ts'
import type { Invited, InviteOrder } from './read-invite-order.ts'

/**
 * `just_invited`: the mail before went out less than a minute ago, so no other did. `joined`: had an account already, and is
 * on the team now. `taken_back`: by an admin, before the mail went out or while it did.
 */
export type Outcome =
  'invited' | 'just_invited' | 'joined' | 'already_a_member' | 'taken_back' | 'invalid' | 'failed'
export type InviteResult = { email: string; outcome: Outcome; message?: string }

/** Concurrent invitations: fast for a hundred people without crowding the auth service. */
const AT_ONCE = 4

/** Invites everybody and returns the outcomes in order. One failure does not stop the rest. */
export async function inviteEach(
  order: InviteOrder,
  plans: Plan[],
  project: Project,
): Promise<InviteResult[]> {
  const results: InviteResult[] = []
  const waiting = [...order.people.entries()]
  async function work() {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [place, person] = next
      const plan = plans.find(({ email }) => email === person.email)
      results[place] = await inviteOne(person, plan, order, project)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results
}

async function inviteOne(
  person: Invited,
  plan: Plan | undefined,
  order: InviteOrder,
  project: Project,
): Promise<InviteResult> {
  const { email } = person
  if (!person.isValid || !plan) return { email, outcome: 'invalid' }
  if (plan.state === 'member') return { email, outcome: 'already_a_member' }
  if (plan.state === 'joined') return { email, outcome: 'joined' }
  if (plan.state === 'sent') return { email, outcome: 'just_invited' }
  return mailInvitation(person, plan, order, project)
}

type Mailed = Pick<Plan, 'invitation_id' | 'invited_by_name'>
type Page = Pick<InviteOrder, 'redirectTo'>

/** Mails the link, unless it is too late for that, and records a mail that could not be sent. */
export async function mailInvitation(
  person: Invited,
  plan: Mailed,
  page: Page,
  project: Project,
): Promise<InviteResult> {
  const { email } = person
  try {
    const outcome = await prepare(plan, project)
    if (outcome !== 'due') return { email, outcome }
    const refused = await mail(person, plan, page, project)
    if (!refused) return { email, outcome: await settle(plan, project) }
    if (refused.code === 'email_exists') return { email, outcome: 'already_a_member' }
    return await failed(email, refused.message, project)
  } catch (error) {
    console.error(error)
    return failed(email, '', project)
  }
}

/** Records that the mail did not go out, so that the list of invitations says so. */
async function failed(email: string, message: string, project: Project): Promise<InviteResult> {
  const values = { address: email, reason: message }
  const { refused } = await callProject('POST', 'rest/v1/rpc/note_bounce', values, project)
  if (refused) console.error('The failed invitation could not be recorded:', refused.message)
  return { email, outcome: 'failed', ...(message ? { message } : {}) }
}

async function prepare({ invitation_id }: Mailed, project: Project) {
  const path = 'rest/v1/rpc/prepare_invitation_mail'
  const { refused, data } = await callProject('POST', path, { invitation_id }, project)
  if (refused) throw new Error(`the mail could not be prepared: ${refused.message}`)
  return (data as 'due' | 'joined' | 'taken_back' | null) ?? 'taken_back'
}

/** After the mail: an invitation that was taken back meanwhile leaves no link that works. */
async function settle({ invitation_id }: Mailed, project: Project) {
  const path = 'rest/v1/rpc/settle_invitation_mail'
  const { refused, data } = await callProject('POST', path, { invitation_id }, project)
  if (refused) console.error('The mailed invitation could not be looked at:', refused.message)
  return (data as 'invited' | 'taken_back' | null) ?? 'invited'
}

/** Has the auth service make the account and mail the link. Returns the error it responded with, if any. */
async function mail(
  { email, firstName, lastName, locale }: Invited,
  plan: Mailed,
  page: Page,
  project: Project,
): Promise<Refused | null> {
  // The app asks for a password while `needs_password` is set; the mail names both.
  const data = {
    first_name: firstName,
    last_name: lastName,
    locale,
    needs_password: true,
    invited_by: plan.invited_by_name ?? '',
  }
  const query = new URLSearchParams({ redirect_to: pageOf(page.redirectTo, plan.invitation_id) })
  const path = `auth/v1/invite?${query.toString()}`
  return (await callProject('POST', path, { email, data }, project)).refused
}

/** The page that the link opens, which can ask what became of the invitation. */
function pageOf(redirectTo: string, invitationId: string | null): string {
  if (!invitationId || !URL.canParse(redirectTo)) return redirectTo
  const page = new URL(redirectTo)
  page.searchParams.set('invitation', invitationId)
  return page.href
}
