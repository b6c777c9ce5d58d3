import { m } from '#lib/messages/messages.js'

/** The check constraint that Postgres names as broken: a sentence. supabase/tests/catalogue.test.ts holds them to it. */
export function brokenCheck(said: string): string | undefined {
  return /violates check constraint "([A-Z].+)"/.exec(said)?.[1]
}

/** By the class of Postgres' codes: what it says by itself, about rows and types. */
const BY_CODE: [RegExp, () => string][] = [
  [/^23505$/, m.server_already_there],
  [/^23503$/, m.server_gone],
  [/^(22|23)/, m.server_value_invalid],
  [/^42501$/, m.server_not_allowed],
]

/**
 * A refusal in Postgres' own words, for readers of English; undefined for a sentence, which begins with a capital. Of a
 * suspended account the auth service says "User is banned", which helps nobody.
 */
export function plainWords(error: object): string | undefined {
  const { code = '', message = '' } = error as Record<string, unknown>
  if (code === 'user_banned') return m.server_banned()
  const said = String(message)
  const check = brokenCheck(said)
  if (check || /^[A-Z]/.test(said)) return check
  return BY_CODE.find(([codes]) => codes.test(String(code)))?.[1]()
}
