// How many mails there may be: to one recipient, at the request of one address or network, and in total. Strangers who ask
// for mails to somebody else's address must neither keep the owner from getting one nor learn whether there is an account.
import type { Accounts, Call } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { isSignedInHere } from '#auth/flows/attempts.ts'
import type { User } from '#auth/users.ts'
import { addressGroup, networkOf } from '#http/client-address.ts'

/** Kinds of requests, each with an interval and limits of its own. */
export type MailPurpose =
  'signup' | 'recovery' | 'magiclink' | 'email_change' | 'email_change_again' | 'reauthentication'

type MailRequest = {
  email: string
  purpose: MailPurpose
  /** Whether it also writes to addresses without an account. */
  isForNewcomers?: boolean
}

/**
 * Counts a request before the account is looked up, so that the response does not reveal whether it exists.
 * @throws over_email_send_rate_limit
 */
export async function checkMailLimits(
  { email, purpose, isForNewcomers = false }: MailRequest,
  call: Call,
  accounts: Accounts,
): Promise<void> {
  const { limits, settings } = accounts
  const key = intervalKey(email, purpose, call)
  const soon = await limits.throttle(key, settings.mailIntervalSeconds)
  if (soon > 0) throw authErrors.mailTooSoon(soon)
  const here = addressGroup(call.clientAddress)
  const wait =
    (await limits.use('mailsFromHere', here)) ||
    (await limits.use('mailsFromNetwork', networkOf(here))) ||
    (isForNewcomers ? await limits.use('mailsToNewcomers', 'all') : 0)
  if (wait > 0) throw authErrors.tooManyMails(wait)
  // Last, so that this limit is used up by mails that were sent.
  const flooded = await countMailToOne(email, purpose, call, accounts)
  if (flooded === 0) return
  if (isForNewcomers) await limits.refund('mailsToNewcomers', 'all')
  throw authErrors.tooManyMails(flooded)
}

/**
 * Counts a mail to one recipient. Each purpose has its own limits: where they are used up for one, the recipient has just
 * been sent mails whose links work. Where the account is signed in, what is asked for from elsewhere does not count.
 * @returns 0 when it may be sent, else the seconds to wait
 */
export async function countMailToOne(
  email: string,
  purpose: MailPurpose,
  call: Call,
  accounts: Accounts,
): Promise<number> {
  const { limits } = accounts
  const fromNetwork = `${networkOfCaller(call)}:${purpose}:${email}`
  const wait = await limits.use('mailsToOneFromNetwork', fromNetwork)
  if (wait > 0) return wait
  const flooded = await limits.use('mailsToOne', `${purpose}:${email}`)
  return flooded > 0 && (await isSignedInHere({ email }, call, accounts)) ? 0 : flooded
}

/**
 * Counts a mail to an account in total. People outside the team, such as a stranger with many mailboxes, do not use up what is
 * for members. Ask before the transaction, which has a connection already; a stranger must not learn of a refusal.
 * @returns 0 when it may be sent, else the seconds to wait
 */
export async function countMailToAccount(
  user: User,
  { limits, settings }: Accounts,
): Promise<number> {
  const isMember =
    user.email_confirmed_at !== null &&
    (settings.isMember ? await settings.isMember(user.id) : true)
  return limits.use(isMember ? 'mailsToMembers' : 'mailsToOutsiders', 'all')
}

/** Call after a link was redeemed and committed: allows the next mails immediately, since earlier links no longer work. */
export async function resetMailLimits(
  { email }: User,
  call: Call,
  { limits }: Accounts,
): Promise<void> {
  if (!email) return
  for (const purpose of ['signup', 'recovery', 'magiclink'] as const) {
    await limits.reset(intervalKey(email, purpose, call))
    await limits.reset(`mailsToOne:${purpose}:${email}`)
  }
}

// Of one network: a stranger who asks for a mail elsewhere does not delay the owner's.
function intervalKey(email: string, purpose: MailPurpose, call: Call): string {
  return `mail:${purpose}:${networkOfCaller(call)}:${email}`
}

function networkOfCaller({ clientAddress }: Call): string {
  return networkOf(addressGroup(clientAddress))
}
