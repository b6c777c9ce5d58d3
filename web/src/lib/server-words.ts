import { m } from '#lib/messages/messages.js'

/** By the code of the refusal; the rest stays in the server's own words. */
const WORDS: Record<string, () => string> = {
  invalid_credentials: m.ui_server_invalid_credentials,
  email_not_confirmed: m.ui_server_email_not_confirmed,
  weak_password: m.ui_server_weak_password,
  same_password: m.ui_server_same_password,
  email_exists: m.ui_server_email_exists,
  user_already_exists: m.ui_server_email_exists,
  email_address_invalid: m.ui_server_email_invalid,
  over_request_rate_limit: m.ui_server_too_many,
  over_email_send_rate_limit: m.ui_server_too_many,
  '42501': m.ui_server_not_allowed,
}

// Each browser has its own.
const UNREACHABLE = /Failed to fetch|NetworkError|Load failed/

/** What the server refused with, in the language of the member. */
export function serverWords(error: object): string | undefined {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof message === 'string' && UNREACHABLE.test(message)) return m.ui_server_unreachable()
  return typeof code === 'string' ? WORDS[code]?.() : undefined
}
