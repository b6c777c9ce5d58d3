import { readInviteOrder } from './read-invite-order.ts'
import { Refusal } from './refusal.ts'
import { inviteEach } from './invite-each.ts'
import type { InviteSurroundings } from './surroundings.ts'
import { planInvitations, requireSignedIn } from './ask-as-caller.ts'

// The app may be on another origin than the project; the access token is what protects this.
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': 'authorization, apikey, content-type, x-client-info',
}

/** Handles one request: people to invite in, an outcome per person out. */
export async function handleInviteRequest(
  request: Request,
  surroundings: InviteSurroundings,
): Promise<Response> {
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: CORS })
  try {
    return Response.json({ results: await invite(request, surroundings) }, { headers: CORS })
  } catch (error) {
    if (!(error instanceof Refusal)) console.error(error)
    const { status, message } =
      error instanceof Refusal ? error : new Refusal(500, 'The invitations could not be sent')
    return Response.json({ message }, { status, headers: CORS })
  }
}

async function invite(request: Request, surroundings: InviteSurroundings) {
  if (request.method !== 'POST') throw new Refusal(405, 'Use POST')
  const token = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  await requireSignedIn(token, surroundings)
  const order = await readInviteOrder(request)
  const addresses = order.people.filter(({ isValid }) => isValid).map(({ email }) => email)
  // Authorize even if no address is valid, so a non-admin learns nothing else.
  const plans = await planInvitations(addresses.length ? addresses : ['-'], token, surroundings)
  return inviteEach(order, plans, surroundings)
}
