// How many mails there may be: to one recipient, at the request of one address or network, and in total.
import type { Accounts, Call } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import type { User } from '#auth/users.ts'
import { addressGroup, networkOf } from '#http/client-address.ts'
import type { Query } from '#postgres/statement.ts'
import { chargeAttempt, isSignedInHere } from './attempts.ts'

/** Kinds of requests, each with an interval of its own. */
export type MailPurpose =
  'signup' | 'recovery' | 'magiclink' | 'email_change' | 'email_change_again' | 'reauthentication'

type MailRequest = {
  email: string
  purpose: MailPurpose
  /** Whether it also serves addresses without an account, so that it ends with their share of all mails. */
  isForNewcomers?: boolean
}

/**
 * Counts a mail request before looking up the account, so that the response does not reveal whether it exists. The totals are
 * only checked here and counted when a mail is enqueued; otherwise made-up addresses could exhaust them.
 * @throws over_email_send_rate_limit
 */
export async function checkMailLimits(
  { email, purpose, isForNewcomers = false }: MailRequest,
  call: Call,
  accounts: Accounts,
): Promise<void> {
  const { limits, settings } = accounts
  const busy =
    (await limits.peek('mailsToAll', 'all')) ||
    (isForNewcomers ? await limits.peek('mailsToUnconfirmed', 'all') : 0)
  if (busy > 0) throw authErrors.tooManyMails(busy)
  const key = intervalKey(email, purpose, call)
  const soon = await limits.throttle(key, settings.mailIntervalSeconds)
  if (soon > 0) throw authErrors.mailTooSoon(soon)
  const here = addressGroup(call.clientAddress)
  const greedy =
    (await limits.use('mailsFromHere', here)) ||
    (await limits.use('mailsFromNetwork', networkOf(here)))
  if (greedy > 0) throw authErrors.tooManyMails(greedy)
  await checkMailsToOne(email, call, accounts)
}

/**
 * Counts a mail to this address, as the above does, for a second recipient.
 * @throws over_email_send_rate_limit
 */
export async function checkMailsToOne(email: string, call: Call, accounts: Accounts) {
  const wait = await countMailToOne(email, call, accounts)
  if (wait > 0) throw authErrors.tooManyMails(wait)
}

/** @returns 0 when the address may be sent another mail, else the seconds to wait */
export async function countMailToOne(
  email: string,
  call: Call,
  accounts: Accounts,
): Promise<number> {
  const { wait } = await chargeAttempt(
    {
      fromHere: [['mailsToOneFromNetwork', `${networkOfCaller(call)}:${email}`]],
      fromAnywhere: ['mailsToOne', email],
      isSignedInHere: () => isSignedInHere(email, call, accounts),
    },
    accounts.limits,
  )
  return wait
}

/**
 * Whether an account that nobody has confirmed may be sent a mail, for requests that are not for newcomers. Their answer must
 * not depend on it. Ask before the transaction, which has a connection already.
 */
export async function isMailLeftForUnconfirmed({ limits }: Accounts): Promise<boolean> {
  return (await limits.peek('mailsToUnconfirmed', 'all')) === 0
}

/** Counts a mail that is enqueued, in the caller's transaction. Those of trusted servers have limits of their own. */
export async function countMail(query: Query, to: User, call: Call, { limits }: Accounts) {
  if (call.caller.role === 'service_role') return
  await limits.count(query, 'mailsToAll', 'all')
  if (!to.email_confirmed_at) await limits.count(query, 'mailsToUnconfirmed', 'all')
}

/** Allows the next mail of the kind immediately, after a link was redeemed. */
export async function resetMailInterval(
  email: string,
  purpose: MailPurpose,
  call: Call,
  { limits }: Accounts,
): Promise<void> {
  await limits.reset(intervalKey(email, purpose, call))
}

// Of one network: a stranger who asks for a mail elsewhere does not delay the owner's.
function intervalKey(email: string, purpose: MailPurpose, call: Call): string {
  return `mail:${purpose}:${networkOfCaller(call)}:${email}`
}

function networkOfCaller({ clientAddress }: Call): string {
  return networkOf(addressGroup(clientAddress))
}
