// The only way to send a mail: one-time token, template, outbox.
import type { Accounts, Call } from '#auth/context.ts'
import { composeMail, mailShowsCode } from '#auth/mail/mail-templates.ts'
import type { MailKind, MailLanguage } from '#auth/mail/mail-texts.ts'
import type { LinkType } from '#auth/settings.ts'
import type { User } from '#auth/users.ts'
import type { Query } from '#postgres/statement.ts'
import { issueOneTimeToken, type IssuedToken, type TokenType } from './one-time-tokens.ts'
import { redirectTarget } from './redirects.ts'

export type LinkParams = {
  user: User
  kind: MailKind
  tokenType: TokenType
  linkType: LinkType
  /** The recipient. */
  email: string
  /** The PKCE flow that the link goes on with. */
  flow?: string | null
  /** For confirmations: the sign-up to activate. */
  pendingSignUp?: string | null
}

/** Issues the link and enqueues its mail in the caller's transaction. */
export async function sendLink(
  query: Query,
  order: LinkParams,
  call: Call,
  { settings, outbox }: Accounts,
): Promise<void> {
  const language = mailLanguage(order.user)
  const hasCode = mailShowsCode(
    { kind: order.kind, language },
    { templates: settings.templates, always: settings.mailsShowCode },
  )
  const page = settings.linkPages?.[order.linkType]
  const redirect = redirectTarget(call.request, settings, page)
  const made = await makeLink(query, { ...order, hasCode }, call, settings, redirect)
  const { issued, link, lifetimeSeconds, redirectTo } = made
  const mail = composeMail(
    {
      kind: order.kind,
      language,
      productName: settings.productName,
      siteUrl: settings.siteUrl,
      email: order.user.email ?? '',
      newEmail: order.user.email_change ?? '',
      link,
      redirectTo,
      token: issued.token,
      code: issued.code,
      lifetimeSeconds,
      data: order.user.raw_user_meta_data ?? {},
    },
    settings.templates,
  )
  await outbox.enqueue(query, { ...mail, to: order.email }, call.now)
  call.hasEnqueuedMail = true
}

export type Notice = {
  /**
   * `existing_account` and `existing_invitation` are for a sign-up with, or a change to, an address that is taken: only its
   * owner learns of it. The others tell the owner what was changed, in case it was somebody else.
   */
  kind: 'existing_account' | 'existing_invitation' | 'password_changed' | 'email_changed'
  user: User
  /** After the address was changed: the one before, which gets the mail. */
  oldEmail?: string
}

/** Enqueues a mail that leads to the login and opens nothing by itself, so anybody may cause it. */
export async function sendNotice(
  query: Query,
  { kind, user, oldEmail }: Notice,
  call: Call,
  { settings, outbox }: Accounts,
): Promise<void> {
  const { siteUrl, productName, templates } = settings
  const email = user.email ?? ''
  const mail = composeMail(
    {
      kind,
      language: mailLanguage(user),
      productName,
      siteUrl,
      email,
      newEmail: '',
      ...(oldEmail && { oldEmail }),
      link: siteUrl,
      redirectTo: siteUrl,
      token: '',
      code: '',
      lifetimeSeconds: 0,
    },
    templates,
  )
  await outbox.enqueue(query, { ...mail, to: oldEmail ?? email }, call.now)
  call.hasEnqueuedMail = true
}

/** Issues the link without a mail. */
export async function makeLink(
  query: Query,
  order: LinkParams & { hasCode: boolean },
  call: Call,
  settings: Accounts['settings'],
  redirectTo: string,
): Promise<{ issued: IssuedToken; link: string; lifetimeSeconds: number; redirectTo: string }> {
  const lifetimeSeconds =
    order.kind === 'invite' ? settings.inviteSeconds : settings.oneTimeTokenSeconds
  const issued = await issueOneTimeToken(
    query,
    {
      userId: order.user.id,
      type: order.tokenType,
      email: order.email,
      flow: order.flow ?? null,
      hasCode: order.hasCode,
      lifetimeSeconds,
      pendingSignUp: order.pendingSignUp,
    },
    call.now,
  )
  const link = new URL(`${call.origin}/auth/v1/verify`)
  link.search = String(
    new URLSearchParams({ token: issued.token, type: order.linkType, redirect_to: redirectTo }),
  )
  return { issued, link: link.href, lifetimeSeconds, redirectTo }
}

function mailLanguage(user: User): MailLanguage {
  const wanted = user.raw_user_meta_data?.locale ?? user.raw_user_meta_data?.language
  return typeof wanted === 'string' && /^es(?![a-z])/i.test(wanted) ? 'es' : 'en'
}
