import { m } from '#lib/messages/messages.js'
import { brokenCheck } from './plain-words.ts'
import { translated } from './server-texts.ts'

/** For messages without their own text: by error code. */
const BY_CODE: Record<string, () => string> = {
  invalid_credentials: m.server_invalid_credentials,
  email_not_confirmed: m.server_email_not_confirmed,
  weak_password: m.server_weak_password,
  same_password: m.server_same_password,
  email_exists: m.server_email_exists,
  user_already_exists: m.server_email_exists,
  email_address_invalid: m.server_email_invalid,
  over_request_rate_limit: m.server_too_many,
  over_email_send_rate_limit: m.server_too_many,
  otp_expired: m.server_link_expired,
  user_banned: m.server_banned,
  bad_jwt: m.server_session_ended,
  no_authorization: m.server_session_ended,
  refresh_token_not_found: m.server_session_ended,
  refresh_token_already_used: m.server_session_ended,
  session_expired: m.server_session_ended,
  session_not_found: m.server_session_ended,
  user_not_found: m.server_session_ended,
  mfa_challenge_expired: m.server_two_step_expired,
  mfa_ip_address_mismatch: m.server_two_step_expired,
  insufficient_aal: m.server_two_step_first,
  PGRST301: m.server_session_ended,
  PGRST303: m.server_session_ended,
  '42501': m.server_not_allowed,
  '22001': m.server_value_invalid,
  '22023': m.server_value_invalid,
  '22P02': m.server_value_invalid,
  '23502': m.server_value_invalid,
  '23514': m.server_value_invalid,
  '23503': m.server_gone,
  '23505': m.server_already_there,
  PT429: m.server_too_many,
  PGRSTX02: m.server_too_many,
}

/** Messages with a varying part, matched by a fragment. */
const BY_PART: [RegExp, () => string][] = [
  [/row-level security/, m.server_not_allowed],
  [/^mime type .* is not supported/, m.server_wrong_type],
]

/**
 * The server's refusal in the member's language: the exact sentence if known, else by code, else a generic
 * one. The app's own messages are already translated, and have neither code nor status.
 */
export function serverWords(error: object): string | undefined {
  const { code, status, message = '' } = error as Record<string, unknown>
  const said = brokenCheck(String(message)) ?? String(message)
  const sentence = translated(said) ?? BY_PART.find(([part]) => part.test(said))?.[1]()
  if (sentence) return sentence
  if (typeof code === 'string' || typeof status === 'number')
    return (BY_CODE[String(code)] ?? m.server_refused)()
}
