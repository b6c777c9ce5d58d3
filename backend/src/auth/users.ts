// Reads, inserts and updates rows of auth.users and their identities. The only file that knows the columns.
import type { Query } from '#postgres/statement.ts'
import { authErrors } from './errors.ts'

export const AUDIENCE = 'authenticated'
/** Stored for accounts without a password; nothing matches it. */
export const NO_PASSWORD = ''
export type Json = Record<string, unknown>

export type Identity = {
  id: string
  provider_id: string
  user_id: string
  identity_data: Json
  provider: string
  last_sign_in_at: string | null
  created_at: string | null
  updated_at: string | null
  email: string | null
}

/** A second factor, without its secret. */
export type Factor = {
  id: string
  friendly_name: string | null
  factor_type: 'totp' | 'webauthn' | 'phone'
  status: 'unverified' | 'verified'
  phone: string | null
  last_challenged_at: string | null
  created_at: string
  updated_at: string
}

export type User = {
  id: string
  aud: string | null
  role: string | null
  email: string | null
  phone: string | null
  encrypted_password: string | null
  email_confirmed_at: Date | null
  phone_confirmed_at: Date | null
  confirmed_at: Date | null
  invited_at: Date | null
  confirmation_sent_at: Date | null
  recovery_sent_at: Date | null
  email_change: string | null
  email_change_sent_at: Date | null
  email_change_confirm_status: number | null
  reauthentication_sent_at: Date | null
  last_sign_in_at: Date | null
  raw_app_meta_data: Json | null
  raw_user_meta_data: Json | null
  created_at: Date | null
  updated_at: Date | null
  banned_until: Date | null
  deleted_at: Date | null
  is_anonymous: boolean
  identities: Identity[]
  factors: Factor[]
}

/** Selects whole users; append a condition on `u`. */
export const SELECT_USERS = `
  select u.*, coalesce(
    (select jsonb_agg(to_jsonb(i) order by i.created_at) from auth.identities i where i.user_id = u.id),
    '[]'
  ) as identities, coalesce(
    (
      select jsonb_agg(to_jsonb(f) - '{user_id,secret}'::text[] order by f.created_at)
      from auth.mfa_factors f where f.user_id = u.id
    ),
    '[]'
  ) as factors
  from auth.users u`

export async function findUserByEmail(query: Query, email: string): Promise<User | null> {
  const { rows } = await query({
    name: 'auth_user_by_email',
    text: `${SELECT_USERS} where u.email = $1 and not u.is_sso_user`,
    values: [email],
  })
  return (rows[0] as User | undefined) ?? null
}

export async function findUserById(query: Query, id: string): Promise<User | null> {
  const { rows } = await query({
    name: 'auth_user_by_id',
    text: `${SELECT_USERS} where u.id = $1`,
    values: [id],
  })
  return (rows[0] as User | undefined) ?? null
}

export async function reloadUser(query: Query, id: string): Promise<User> {
  const user = await findUserById(query, id)
  if (!user) throw authErrors.userNotFound()
  return user
}

/** Serializes actions on one account. */
export async function lockUser(query: Query, id: string): Promise<void> {
  await query({ text: 'select from auth.users where id = $1 for update', values: [id] })
}

export type NewUser = {
  id: string
  email: string
  encryptedPassword: string
  userMetadata: Json
  /** As in GoTrue, what a person signs up with is stored with the identity's data; an admin's is stored as sent. */
  isSignUp?: boolean
  appMetadata?: Json
  role?: string
  invitedAt?: Date
  emailConfirmedAt?: Date
}

/** Inserts the account and its email identity. @throws email_exists when the address was taken in the meantime */
export async function insertUser(query: Query, user: NewUser, now: Date): Promise<User> {
  const confirmed = user.emailConfirmedAt !== undefined
  const identityData = {
    ...user.userMetadata,
    sub: user.id,
    email: user.email,
    email_verified: confirmed,
    phone_verified: false,
  }
  try {
    await query({
      name: 'auth_insert_user',
      text: `
        insert into auth.users (
          instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, invited_at, confirmation_token,
          recovery_token, email_change_token_new, email_change, raw_app_meta_data, raw_user_meta_data, created_at, updated_at
        ) values (
          '00000000-0000-0000-0000-000000000000', $1, '${AUDIENCE}', $2, $3, $4, $5, $6, '', '', '', '', $7, $8, $9, $9
        )`,
      values: [
        user.id,
        user.role ?? AUDIENCE,
        user.email,
        user.encryptedPassword,
        user.emailConfirmedAt ?? null,
        user.invitedAt ?? null,
        { provider: 'email', providers: ['email'], ...user.appMetadata },
        user.isSignUp ? identityData : user.userMetadata,
        now,
      ],
    })
  } catch (cause) {
    if (isDuplicateEmail(cause)) throw authErrors.emailExists({ cause })
    throw cause
  }
  await saveEmailIdentity(query, user.id, identityData, now)
  return reloadUser(query, user.id)
}

/** Inserts the email identity, or merges `data` into it. */
export async function saveEmailIdentity(query: Query, userId: string, data: Json, now: Date) {
  await query({
    name: 'auth_save_identity',
    text: `
      insert into auth.identities as known
        (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
      values ($1::text, $1::uuid, $2, 'email', $3, $3, $3)
      on conflict (provider_id, provider) do update
        set identity_data = known.identity_data || excluded.identity_data, updated_at = excluded.updated_at`,
    values: [userId, { sub: userId, ...data }, now],
  })
}

/** Removes data of an earlier sign-up from the email identity. */
export async function clearEmailIdentity(query: Query, userId: string): Promise<void> {
  await query({
    text: `update auth.identities set identity_data = '{}' where user_id = $1 and provider = 'email'`,
    values: [userId],
  })
}

/** Columns that actions set; metadata is merged, and keys set to null are removed. */
export type UserChanges = {
  email?: string
  encrypted_password?: string
  role?: string
  email_confirmed_at?: Date
  invited_at?: Date
  confirmation_sent_at?: Date
  recovery_sent_at?: Date
  reauthentication_sent_at?: Date
  email_change?: string
  email_change_sent_at?: Date | null
  email_change_confirm_status?: number
  banned_until?: Date | null
  deleted_at?: Date
  raw_user_meta_data?: Json
  raw_app_meta_data?: Json
}

/** No other address waits to be confirmed. */
export const NO_EMAIL_CHANGE = {
  email_change: '',
  email_change_sent_at: null,
  email_change_confirm_status: 0,
} as const satisfies UserChanges

/** @throws email_exists when the new address belongs to another account */
export async function updateUser(query: Query, id: string, changes: UserChanges, now: Date) {
  const columns = Object.keys(changes) as (keyof UserChanges)[]
  const assignments = columns.map((column, index) =>
    column.startsWith('raw_')
      ? `${column} = (coalesce(${column}, '{}') || $${index + 3}::jsonb)
          - array(select key from jsonb_each($${index + 3}::jsonb) where value = 'null')`
      : `${column} = $${index + 3}`,
  )
  try {
    await query({
      text: `update auth.users set ${['updated_at = $2', ...assignments].join(', ')} where id = $1`,
      values: [id, now, ...columns.map((column) => changes[column])],
    })
  } catch (cause) {
    if (isDuplicateEmail(cause)) throw authErrors.emailExists({ cause })
    throw cause
  }
}

export function isBanned(user: User, nowMs: number): boolean {
  return user.banned_until !== null && user.banned_until.getTime() > nowMs
}

/** Whether the account asks for a second factor. */
export function hasSecondFactor({ factors }: Pick<User, 'factors'>): boolean {
  return factors.some((factor) => factor.status === 'verified')
}

function isDuplicateEmail(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '23505' && constraint === 'users_email_partial_key'
}
