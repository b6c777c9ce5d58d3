import * as v from 'valibot'
import type { Query } from '#postgres/statement.ts'
import { readBody, text, type Accounts, type Action, type Call } from './action.ts'
import { parseEmailAddress } from './email-address.ts'
import { authErrors } from './errors.ts'
import { findByCode, findByLink, type OneTimeToken } from './one-time-tokens.ts'
import { describeSession, openSession } from './open-session.ts'
import { forgetSpacing, ONE_OF_TWO, redeemToken, tokensOfType } from './redeem-token.ts'

const bodySchema = v.object({
  type: text,
  token: text,
  token_hash: text,
  email: text,
  phone: text,
})
type Body = v.InferOutput<typeof bodySchema>

/** POST /verify: the code that was mailed, or the token of its link, for a session. */
export const verifyToken: Action = async (call, accounts) => {
  const body = await readBody(call.request, bodySchema)
  const email = checkBody(body)
  const types = tokensOfType(body.type)
  if (!types) throw authErrors.validationFailed('Unsupported verification type')
  if (email) await requireFewGuesses(email, accounts)

  const done = await accounts.database.transaction(async (query) => {
    const token = await findToken(query, body, email, call)
    const user = await redeemToken(query, token, call, accounts)
    return user && { user, signIn: await openSession(query, user, 'otp', call) }
  })
  if (!done) return Response.json({ msg: ONE_OF_TWO, code: '200' })
  await forgetSpacing(done.user, accounts)
  const user = { ...done.user, last_sign_in_at: call.now }
  return Response.json(await describeSession(user, done.signIn, call, accounts))
}

function checkBody(body: Body): string | null {
  if (body.type === '') throw authErrors.validationFailed('Verify requires a verification type')
  if ((body.token === '') === (body.token_hash === '')) {
    throw authErrors.validationFailed('Verify requires either a token or a token hash')
  }
  if (body.token_hash !== '') {
    if (body.email === '' && body.phone === '') return null
    throw authErrors.validationFailed('Only the token_hash and type should be provided')
  }
  if (body.email === '' || body.phone !== '') {
    throw authErrors.validationFailed(
      'Only an email address or phone number should be provided on verify',
    )
  }
  return parseEmailAddress(body.email)
}

async function findToken(
  query: Query,
  body: Body,
  email: string | null,
  call: Call,
): Promise<OneTimeToken> {
  const types = tokensOfType(body.type) ?? []
  if (email === null) {
    const token = await findByLink(query, body.token_hash, types, call.now)
    if (!token) throw authErrors.linkExpired()
    return token
  }
  const token = await findByCode(query, { email, code: body.token, types }, call.now)
  if (!token) throw authErrors.codeExpired()
  return token
}

// Six digits are a million: without this, guessing would get there within the hour a code works.
async function requireFewGuesses(email: string, { limits }: Accounts) {
  const wait = await limits.use('wrongCode', email)
  if (wait > 0) throw authErrors.tooManyRequests(wait)
}
