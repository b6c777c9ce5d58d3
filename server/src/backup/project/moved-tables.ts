// What moves between an installation and a Supabase project. There the services own their tables and change them with their own
// releases, so rows move by the columns that both sides have. Sessions, links in mails and waiting sign-ups stay behind: each
// service can read only what it issued itself.
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { fullName, isOfProduct, type Table } from '../database/list-tables.ts'

export const OBJECTS = 'storage.objects'
const ACCOUNTS = ['auth.users', 'auth.identities', 'auth.mfa_factors']
export const MOVED_TABLES = [...ACCOUNTS, 'storage.buckets', OBJECTS]

export const moves = (table: Table) => isOfProduct(table) || MOVED_TABLES.includes(fullName(table))

/** The links in mails were issued elsewhere. The auth service of a project cannot read a null in any of these. */
const EMPTY = `''`
const NO_INSTANCE = `'00000000-0000-0000-0000-000000000000'`
const EVERYBODY = `'authenticated'`

/** What replaces a column's value, by table and column; all others are taken over. */
export const REPLACED: Record<string, Record<string, string>> = {
  'auth.users': {
    instance_id: NO_INSTANCE,
    aud: `coalesce(nullif(aud, ''), ${EVERYBODY})`,
    role: `coalesce(nullif(role, ''), ${EVERYBODY})`,
    encrypted_password: `coalesce(encrypted_password, ${EMPTY})`,
    confirmation_token: EMPTY,
    recovery_token: EMPTY,
    email_change: EMPTY,
    email_change_token_new: EMPTY,
    email_change_token_current: EMPTY,
    email_change_confirm_status: `'0'`,
    phone_change: EMPTY,
    phone_change_token: EMPTY,
    reauthentication_token: EMPTY,
  },
}

/**
 * How many accounts have a password or a second factor that a project sealed with a key of its own, as self-hosted ones may do. Nobody
 * else can check either.
 */
export async function countSealed(client: GuardedClient): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from auth.users u
     where u.encrypted_password like '{%'
       or exists (select from auth.mfa_factors f where f.user_id = u.id and f.secret like '{%')`,
  )
  return rows[0]?.count ?? 0
}
