import { authErrors } from '#auth/errors.ts'
import type { AuthSettings } from '#auth/settings.ts'

/** Hosted Supabase's limit, in bytes; a longer one could not be migrated there. */
const MAX_PASSWORD_BYTES = 72

type Rules = Pick<AuthSettings, 'minPasswordLength' | 'requiredCharacters'>

export type Weakness = { message: string; reasons: string[] }

export function findWeakness(password: string, rules: Rules): Weakness | null {
  const messages: string[] = []
  const reasons: string[] = []
  if (password.length < rules.minPasswordLength) {
    reasons.push('length')
    messages.push(`Password should be at least ${rules.minPasswordLength} characters.`)
  }
  const missing = rules.requiredCharacters.some(
    (set) => set !== '' && ![...set].some((character) => password.includes(character)),
  )
  if (missing) {
    reasons.push('characters')
    messages.push(
      `Password should contain at least one character of each: ${rules.requiredCharacters.join(', ')}.`,
    )
  }
  return reasons.length > 0 ? { message: messages.join(' '), reasons } : null
}

/** @throws weak_password with reasons, or validation_failed when the password is too long */
export function requireStrongPassword(password: string, rules: Rules): void {
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) {
    throw authErrors.validationFailed(
      `Password cannot be longer than ${MAX_PASSWORD_BYTES} characters`,
    )
  }
  const weakness = findWeakness(password, rules)
  if (weakness) throw authErrors.weakPassword(weakness.message, weakness.reasons)
}
