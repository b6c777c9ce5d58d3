// The one way a mail with a link or code comes about: limits, one-time token, words, outbox.
import type { Query } from '#postgres/statement.ts'
import type { Accounts, Call } from './action.ts'
import { authErrors } from './errors.ts'
import { composeMail } from './mail-templates.ts'
import type { MailKind } from './mail-texts.ts'
import { issueOneTimeToken, type IssuedToken, type TokenType } from './one-time-tokens.ts'
import { addressGroup } from './rate-limits.ts'
import { redirectTarget } from './redirects.ts'
import type { User } from './users.ts'

/** Types of links, as `/verify` names them. */
export type LinkType = 'signup' | 'recovery' | 'magiclink' | 'invite' | 'email_change' | 'email'

export type LinkOrder = {
  user: User
  kind: MailKind
  tokenType: TokenType
  linkType: LinkType
  /** To whom; for a changed address the new one. */
  email: string
  isPkce?: boolean
}

/** Makes the link and writes its mail in the caller's transaction. */
export async function sendLink(
  query: Query,
  order: LinkOrder,
  call: Call,
  { settings, outbox, limits }: Accounts,
): Promise<void> {
  const { issued, link, lifetimeSeconds, redirectTo } = await makeLink(query, order, call, settings)
  const mail = composeMail(
    {
      kind: order.kind,
      language: mailLanguage(order.user),
      productName: settings.productName,
      siteUrl: settings.siteUrl,
      email: order.user.email ?? '',
      newEmail: order.user.email_change ?? '',
      link,
      redirectTo,
      token: issued.token,
      code: issued.code,
      lifetimeSeconds,
      showsCode: settings.mailsShowCode,
    },
    settings.templates,
  )
  await outbox.enqueue(query, { ...mail, to: order.email }, call.now)
  // Invitations come from a trusted server, which has a limit of its own.
  if (order.kind !== 'invite') await limits.count(query, 'mailsToAll', 'all')
  call.hasWrittenMail = true
}

export async function makeLink(
  query: Query,
  order: LinkOrder,
  call: Call,
  settings: Accounts['settings'],
  redirectTo = redirectTarget(call.request, settings),
): Promise<{ issued: IssuedToken; link: string; lifetimeSeconds: number; redirectTo: string }> {
  const lifetimeSeconds =
    order.kind === 'invite' ? settings.inviteSeconds : settings.oneTimeTokenSeconds
  const issued = await issueOneTimeToken(
    query,
    {
      userId: order.user.id,
      type: order.tokenType,
      email: order.email,
      isPkce: order.isPkce ?? false,
      lifetimeSeconds,
    },
    call.now,
  )
  const link = new URL(`${call.origin}/auth/v1/verify`)
  link.search = String(
    new URLSearchParams({ token: issued.token, type: order.linkType, redirect_to: redirectTo }),
  )
  return { issued, link: link.href, lifetimeSeconds, redirectTo }
}

/**
 * Counts a wish for a mail before anybody has looked whether the account exists, so that the answer cannot tell. What all
 * are sent together is only looked at: it counts mails that are written, else made-up addresses would use it up.
 * @throws over_email_send_rate_limit
 */
export async function requireMailAllowed(
  email: string,
  purpose: string,
  call: Call,
  { limits, settings }: Accounts,
): Promise<void> {
  const busy = await limits.look('mailsToAll', 'all')
  if (busy > 0) throw authErrors.tooManyMails(busy)
  const soon = await limits.space(spacingKey(email, purpose), settings.mailIntervalSeconds)
  if (soon > 0) throw authErrors.mailTooSoon(soon)
  const greedy = await limits.use('mailsFromHere', addressGroup(call.clientAddress))
  if (greedy > 0) throw authErrors.tooManyMails(greedy)
  const flooded = await limits.use('mailsToOne', email)
  if (flooded > 0) throw authErrors.tooManyMails(flooded)
}

/** After a used link the next mail of that kind may follow at once. */
export async function allowNextMail(email: string, purpose: string, { limits }: Accounts) {
  await limits.forget(spacingKey(email, purpose))
}

function spacingKey(email: string, purpose: string): string {
  return `mail:${purpose}:${email}`
}

function mailLanguage(user: User): 'en' | 'es' {
  const wanted = user.raw_user_meta_data?.locale ?? user.raw_user_meta_data?.language
  return typeof wanted === 'string' && /^es\b/i.test(wanted) ? 'es' : 'en'
}
