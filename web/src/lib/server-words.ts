import { m } from './messages/messages.js'
import { translated } from './server-texts.ts'

/** For what has no text of its own: by the code of the refusal. */
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
}

/** Words that hold a name, so that they are known by a part; each browser has its own for a lost connection. */
const BY_PART: [RegExp, () => string][] = [
  [/Failed to fetch|NetworkError|Load failed/, m.server_unreachable],
  [/row-level security/, m.server_not_allowed],
  [/^mime type .* is not supported/, m.server_wrong_type],
]

/** The statuses of a server that is starting, or of a proxy before one that is gone. */
const AWAY = [502, 503, 504]

/**
 * What the server refused with, in the language of the member: the very sentence where it is known, else what its code
 * means, else that it was refused. What the app itself says is in that language already, and has neither code nor status.
 */
export function serverWords(error: object): string | undefined {
  const { code, status, message = '' } = error as Record<string, unknown>
  const said = String(message)
  const sentence = translated(said) ?? BY_PART.find(([part]) => part.test(said))?.[1]()
  if (sentence) return sentence
  if (AWAY.includes(Number(status))) return m.server_unreachable()
  if (typeof code === 'string' || typeof status === 'number')
    return (BY_CODE[String(code)] ?? m.server_refused)()
}
