// Types of the auth service's actions, and helpers that parse their bodies.
import * as v from 'valibot'
import { boundedRecord, FIRST_ISSUE } from '#http/bounded.ts'
import type { RateLimits } from '#auth/flows/rate-limits.ts'
import type { MailOutbox } from '#auth/mail/mail-outbox.ts'
import type { Passwords } from '#auth/passwords/passwords.ts'
import type { AccessTokens } from '#http/access-tokens.ts'
import type { Context } from '#http/context.ts'
import { parseStorableJson, UnstorableText } from '#http/storable-json.ts'
import type { ServiceDatabase } from '#postgres/database.ts'
import { authErrors } from './errors.ts'
import { LIMITS } from './limits.ts'
import type { AuthSettings } from './settings.ts'

/** Dependencies that live as long as the service. */
export type Accounts = {
  database: ServiceDatabase
  tokens: AccessTokens
  settings: AuthSettings
  passwords: Passwords
  limits: RateLimits
  outbox: MailOutbox
}

/** One request. */
export type Call = Context & {
  request: Request
  url: URL
  /** The `{id}` of the route, as in `/admin/users/{id}`. */
  id: string
  /** The second one, as in `/admin/users/{id}/factors/{id}`. */
  innerId: string
  now: Date
  /** Set by an action that enqueued a mail; the outbox is then drained after the commit. */
  hasEnqueuedMail: boolean
}

export type Action = (call: Call, accounts: Accounts) => Promise<Response>

/** As in GoTrue, a missing or null string is read as ''. */
export const text = v.nullish(v.string(), '')
export const flag = v.nullish(v.boolean(), false)
export const metadata = v.nullish(boundedRecord(v.unknown(), LIMITS.userMetadataNames))

/** @throws validation_failed when the metadata is too large for an access token */
export function requireStorableMetadata(data: Record<string, unknown> | null | undefined): void {
  if (!data) return
  const written = stringify(data)
  if (Buffer.byteLength(written) > LIMITS.userMetadataBytes) {
    throw authErrors.validationFailed('User metadata is too large')
  }
}

/** @throws bad_json when the body is not JSON or does not match the schema; validation_failed for texts that cannot be stored */
export async function readBody<Schema extends v.GenericSchema>(
  request: Request,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const body = await request.text()
  try {
    return v.parse(schema, parseStorableJson(body === '' ? '{}' : body), FIRST_ISSUE)
  } catch (cause) {
    if (cause instanceof UnstorableText) throw authErrors.validationFailed(cause.message)
    throw authErrors.badJson({ cause })
  }
}

/** @throws validation_failed for what is nested too deeply to be written */
function stringify(data: unknown): string {
  try {
    return JSON.stringify(data)
  } catch {
    throw authErrors.validationFailed('User metadata is nested too deeply')
  }
}
