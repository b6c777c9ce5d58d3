// What every action of the accounts service is given, and how it answers.
import * as v from 'valibot'
import type { AccessTokens } from '#http/access-tokens.ts'
import type { Context } from '#http/context.ts'
import type { ServiceDatabase } from '#postgres/database.ts'
import { authErrors } from './errors.ts'
import type { MailOutbox } from './mail-outbox.ts'
import type { Passwords } from './passwords.ts'
import type { RateLimits } from './rate-limits.ts'
import type { AuthSettings } from './settings.ts'

/** What lives as long as the service. */
export type Accounts = {
  database: ServiceDatabase
  tokens: AccessTokens
  settings: AuthSettings
  passwords: Passwords
  limits: RateLimits
  outbox: MailOutbox
}

/** What belongs to one request. */
export type Call = Context & {
  request: Request
  url: URL
  /** The part of the path that names a thing, as `/admin/users/{id}`. */
  id: string
  now: Date
  /** Set by an action that put a mail into the outbox, which is then looked after once the action is committed. */
  hasWrittenMail: boolean
}

export type Action = (call: Call, accounts: Accounts) => Promise<Response>

/** GoTrue reads a missing or null text as the empty one. */
export const text = v.nullish(v.string(), '')
export const flag = v.nullish(v.boolean(), false)
export const metadata = v.nullish(v.record(v.string(), v.unknown()))

/** @throws bad_json when the body is no JSON or its members have other types */
export async function readBody<Schema extends v.GenericSchema>(
  request: Request,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const body = await request.text()
  try {
    return v.parse(schema, JSON.parse(body === '' ? '{}' : body))
  } catch (cause) {
    throw authErrors.badJson({ cause })
  }
}
