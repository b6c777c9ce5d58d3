import { readBody, readInviteOrder, readRenewal, type InviteOrder } from './read-invite-order.ts'
import { Refusal } from '../_shared/refusal.ts'
import { inviteEach } from './invite-each.ts'
import { renewInvitation } from './renew-invitation.ts'
import type { Project } from '../_shared/project.ts'
import { planInvitations, requireSignedIn, type Plan } from './ask-as-caller.ts'

// The app may be on another origin than the project; the access token is what protects this.
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': 'authorization, apikey, content-type, x-client-info',
}

/** Handles one request: people to invite in, an outcome per person out; or an invitation whose link is wanted again. */
export async function handleInviteRequest(request: Request, project: Project): Promise<Response> {
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: CORS })
  try {
    return Response.json(await inviteOrRenew(request, project), { headers: CORS })
  } catch (error) {
    if (!(error instanceof Refusal)) console.error(error)
    const { status, message } =
      error instanceof Refusal ? error : new Refusal(500, 'The invitations could not be sent')
    return Response.json({ message }, { status, headers: CORS })
  }
}

async function inviteOrRenew(request: Request, project: Project) {
  if (request.method !== 'POST') throw new Refusal(405, 'Use POST')
  const body = await readBody(request)
  const renewal = readRenewal(body)
  if (renewal) return { renewed: await renewInvitation(renewal, project) }
  const token = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  await requireSignedIn(token, project)
  const order = readInviteOrder(body)
  const people = order.people.filter(({ isValid }) => isValid)
  const plans = await plansFor({ ...order, people }, token, project)
  return { results: await inviteEach(order, plans, project) }
}

// Authorizes even if no address is valid, so that a non-admin learns nothing else: an empty list is refused after that.
async function plansFor(order: InviteOrder, token: string, project: Project): Promise<Plan[]> {
  try {
    return await planInvitations(order, token, project)
  } catch (error) {
    if (order.people.length > 0 || !(error instanceof Refusal) || error.status !== 400) throw error
    return []
  }
}
