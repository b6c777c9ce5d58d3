// Password and data of a sign-up, kept apart from the account until the link of its own mail is opened: they only take
// effect if the person who opens the link requested that mail.
import type { Call } from '#auth/context.ts'
import { LIMITS } from '#auth/limits.ts'
import type { Json } from '#auth/users.ts'
import { addressGroup } from '#http/client-address.ts'
import type { Query } from '#postgres/statement.ts'

export type PendingSignUp = { id: string; encrypted_password: string; user_metadata: Json }

/** Stores a sign-up of an unconfirmed account. @returns its id, for the confirmation that activates it */
export async function savePendingSignUp(
  query: Query,
  { userId, encryptedPassword, data }: { userId: string; encryptedPassword: string; data: Json },
  call: Call,
): Promise<string> {
  const { rows } = await query({
    name: 'auth_save_pending_sign_up',
    text: `
      insert into auth_service.pending_sign_ups
        (user_id, encrypted_password, user_metadata, address_group, created_at)
      values ($1, $2, $3, $4, $5) returning id`,
    values: [userId, encryptedPassword, data, addressGroup(call.clientAddress), call.now],
  })
  await query({
    text: `
      delete from auth_service.pending_sign_ups where id in (
        select id from auth_service.pending_sign_ups where user_id = $1
        order by created_at desc, id offset ${LIMITS.linksPerAccount}
      )`,
    values: [userId],
  })
  return (rows[0] as { id: string }).id
}

/** The sign-up whose mail is resent: the latest from the caller's address, else the latest of all. */
export async function findSignUpToResend(
  query: Query,
  userId: string,
  call: Call,
): Promise<string | null> {
  const { rows } = await query({
    text: `
      select id from auth_service.pending_sign_ups where user_id = $1
      order by (address_group = $2) desc, created_at desc limit 1`,
    values: [userId, addressGroup(call.clientAddress)],
  })
  return (rows[0] as { id: string } | undefined)?.id ?? null
}

export async function findPendingSignUp(query: Query, id: string): Promise<PendingSignUp | null> {
  const { rows } = await query({
    text: 'select id, encrypted_password, user_metadata from auth_service.pending_sign_ups where id = $1',
    values: [id],
  })
  return (rows[0] as PendingSignUp | undefined) ?? null
}

/**
 * Deletes all sign-ups of the account and their confirmation links.
 * @returns whether there was one, in which case the account's password may be another person's
 */
export async function deletePendingSignUps(query: Query, userId: string): Promise<boolean> {
  const { rowCount } = await query({
    text: 'delete from auth_service.pending_sign_ups where user_id = $1',
    values: [userId],
  })
  return Boolean(rowCount)
}

/** A condition on `auth.users u`: only sign-ups made the account, and nobody has confirmed its address. */
export const IS_UNPROVEN = `u.email_confirmed_at is null and u.invited_at is null
  and exists (select from auth_service.pending_sign_ups p where p.user_id = u.id)`

/** Whether the account gives way to somebody who proves to own its address. */
export async function isUnproven(query: Query, userId: string): Promise<boolean> {
  const { rowCount } = await query({
    text: `select from auth.users u where u.id = $1 and ${IS_UNPROVEN}`,
    values: [userId],
  })
  return Boolean(rowCount)
}

/** Deletes the unproven account with an address, for somebody who has proved to be its owner. */
export async function deleteUnprovenAccount(query: Query, email: string): Promise<void> {
  await query({
    text: `delete from auth.users u where u.email = $1 and not u.is_sso_user and ${IS_UNPROVEN}`,
    values: [email],
  })
}
