import type { Accounts, Action, Call } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { resetMailLimits } from '#auth/flows/mail-limits.ts'
import { findByLink, PKCE_PREFIX } from '#auth/flows/one-time-tokens.ts'
import { issueAuthCode } from '#auth/flows/pkce.ts'
import { FIRST_OF_TWO_CONFIRMED, redeemToken, tokensOfType } from '#auth/flows/redeem-token.ts'
import { redirectTarget } from '#auth/flows/redirects.ts'
import { describeSession, openSession } from '#auth/sessions/open-session.ts'
import { ServiceError } from '#http/service-error.ts'

/** GET /verify: a link from a mail. Redirects to the app with a session, a PKCE code or an error. */
export const verifyLink: Action = async (call, accounts) => {
  const token = call.url.searchParams.get('token') ?? ''
  const type = call.url.searchParams.get('type') ?? ''
  if (type === '') throw authErrors.validationFailed('Verify requires a verification type')
  if (token === '') {
    throw authErrors.validationFailed('Verify requires a token or a token hash')
  }
  const target = redirectTarget(call.request, accounts.settings)
  const isPkce = token.startsWith(PKCE_PREFIX)
  try {
    const outcome = await redeem(token, type, isPkce, call, accounts)
    return redirect(target, outcome.fragment, outcome.query)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const reason = errorParameters(error)
    return redirect(target, { ...reason, sb: '' }, isPkce ? reason : {})
  }
}

type Parameters = Record<string, string>
type Outcome = { fragment: Parameters; query: Parameters }

async function redeem(
  token: string,
  type: string,
  isPkce: boolean,
  call: Call,
  accounts: Accounts,
): Promise<Outcome> {
  const types = tokensOfType(type)
  if (!types) throw authErrors.validationFailed('Invalid email verification type')
  const done = await accounts.database.transaction(async (query) => {
    const found = await findByLink(query, token, types, call.now)
    if (!found) throw authErrors.linkExpired()
    const user = await redeemToken(query, found, call, accounts)
    if (!user) return null
    if (isPkce) {
      return { user, code: await issueAuthCode(query, found.flow_state, call.now) }
    }
    return { user, signIn: await openSession(query, user, 'otp', call) }
  })
  if (!done) {
    const message = { message: FIRST_OF_TWO_CONFIRMED }
    return { fragment: { ...message, sb: '' }, query: isPkce ? message : {} }
  }
  await resetMailLimits(done.user, call, accounts)
  if (!done.signIn) return { fragment: {}, query: { code: done.code } }
  const session = await describeSession(done.user, done.signIn, call, accounts)
  return {
    fragment: {
      access_token: session.access_token,
      expires_at: String(session.expires_at),
      expires_in: String(session.expires_in),
      refresh_token: session.refresh_token,
      token_type: session.token_type,
      type,
      sb: '',
    },
    query: {},
  }
}

function errorParameters(error: ServiceError): Parameters {
  const names: Record<number, string> = {
    400: 'invalid_request',
    401: 'unauthorized_client',
    403: 'access_denied',
    500: 'server_error',
    503: 'temporarily_unavailable',
  }
  const name = names[error.status]
  return {
    ...(name ? { error: name } : {}),
    error_code: error.code,
    error_description: error.message,
  }
}

// The session is in the fragment, which browsers do not send: it appears in no server log or Referer header.
function redirect(target: string, fragment: Parameters, query: Parameters): Response {
  const url = new URL(target)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const hash = new URLSearchParams(fragment).toString()
  const location = url.href.split('#', 1)[0] + (hash ? `#${hash}` : url.hash)
  return new Response(null, {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  })
}
