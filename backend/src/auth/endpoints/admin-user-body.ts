// The body of admin requests that create or update a user.
import * as v from 'valibot'
import { flag, metadata, text, type Accounts } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { requireStrongPassword } from '#auth/passwords/password-strength.ts'

export const adminUserSchema = v.object({
  id: text,
  aud: text,
  role: text,
  email: text,
  phone: text,
  password: v.nullish(v.string()),
  password_hash: text,
  email_confirm: flag,
  user_metadata: metadata,
  app_metadata: metadata,
  ban_duration: text,
})
export type AdminUserBody = v.InferOutput<typeof adminUserSchema>

/** Hashes that sign-in can verify: imported bcrypt, or argon2. */
const KNOWN_HASH = /^(\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}|\$argon2(id|i)\$v=19\$\S+)$/

/** The hash to store, or null when the body has no password. */
export async function hashSuppliedPassword(
  body: AdminUserBody,
  { passwords, settings }: Accounts,
): Promise<string | null> {
  if (body.password && body.password_hash !== '') {
    throw authErrors.validationFailed('Only a password or a password hash should be provided')
  }
  if (body.password_hash !== '') {
    if (KNOWN_HASH.test(body.password_hash)) return body.password_hash
    throw authErrors.validationFailed('password_hash must be a bcrypt or argon2 hash')
  }
  if (!body.password) return null
  requireStrongPassword(body.password, settings)
  return passwords.hash(body.password)
}

const UNIT_MS: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 }

/** End of the ban: `none` lifts it; null leaves it unchanged. */
export function parseBan(duration: string, now: Date): { bannedUntil: Date | null } | null {
  if (duration === '') return null
  if (duration === 'none') return { bannedUntil: null }
  if (!/^(\d+(\.\d+)?(ms|h|m|s))+$/.test(duration)) {
    throw authErrors.validationFailed(
      `invalid format for ban duration: time: invalid duration "${duration}"`,
    )
  }
  let length = 0
  for (const [, count = '0', , unit = 's'] of duration.matchAll(/(\d+(\.\d+)?)(ms|h|m|s)/g)) {
    length += Number(count) * (UNIT_MS[unit] ?? 0)
  }
  const until = new Date(now.getTime() + length)
  if (Number.isNaN(until.getTime())) {
    throw authErrors.validationFailed('invalid format for ban duration: too long')
  }
  return { bannedUntil: until }
}

export function rejectPhone(body: AdminUserBody): void {
  if (body.phone !== '') {
    throw authErrors.notSupported('phone_provider_disabled', 400, 'Phone signups are disabled')
  }
}
