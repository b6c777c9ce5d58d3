import * as v from 'valibot'
import { readBody, text, type Accounts, type Action, type Call } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { parseEmailAddress } from '#auth/flows/email-address.ts'
import { resetMailLimits } from '#auth/flows/mail-limits.ts'
import {
  countCodeGuess,
  findByCode,
  findByLink,
  type OneTimeToken,
  type TokenType,
} from '#auth/flows/one-time-tokens.ts'
import { FIRST_OF_TWO_CONFIRMED, redeemToken, tokensOfType } from '#auth/flows/redeem-token.ts'
import { describeSession, openSession } from '#auth/sessions/open-session.ts'
import type { Query } from '#postgres/statement.ts'

const bodySchema = v.object({
  type: text,
  token: text,
  token_hash: text,
  email: text,
  phone: text,
})
type Body = v.InferOutput<typeof bodySchema>

/** POST /verify: exchanges a mailed code, or the token of its link, for a session. */
export const verifyToken: Action = async (call, accounts) => {
  const body = await readBody(call.request, bodySchema)
  const email = checkBody(body)
  const types = tokensOfType(body.type)
  if (!types) throw authErrors.validationFailed('Unsupported verification type')
  if (email) await countGuess(email, types, accounts)

  const done = await accounts.database.transaction(async (query) => {
    const token = await findToken(query, body, email, call)
    const user = await redeemToken(query, token, call, accounts)
    return user && { user, signIn: await openSession(query, user, 'otp', call) }
  })
  if (!done) return Response.json({ msg: FIRST_OF_TWO_CONFIRMED, code: '200' })
  await resetMailLimits(done.user, call, accounts)
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

// Per address and per code, before the code is checked and whether or not it exists.
async function countGuess(
  email: string,
  types: readonly TokenType[],
  { limits, database }: Accounts,
) {
  const wait = await limits.use('wrongCode', email)
  if (wait > 0) throw authErrors.tooManyRequests(wait)
  await countCodeGuess((statement) => database.query(statement), { email, types })
}
