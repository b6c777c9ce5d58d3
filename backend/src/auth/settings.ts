import type { GivenUpMail } from '#auth/mail/mail-outbox.ts'
import type { MailTemplates } from '#auth/mail/mail-templates.ts'
import type { MailboxSettings } from '#auth/mail/mailbox-secret.ts'

/** Link types of `/verify`. */
export type LinkType = 'signup' | 'recovery' | 'magiclink' | 'invite' | 'email_change' | 'email'

/** Settings of the auth service. Only the first group has no defaults. */
export type AuthSettings = {
  /** Redirect target when a request names none, or one that is not allowed. */
  siteUrl: string
  /** Redirect targets allowed besides those of `siteUrl`; `*` matches anything but `.` and `/`, `**` anything. */
  redirectAllowList: string[]
  /**
   * The path of the one page that links of a type lead to, whatever `redirect_to` says, so that a stranger cannot have a member's link
   * used up on a page that does nothing with it. Links of the other types lead to any page that is allowed.
   */
  linkPages?: Partial<Record<LinkType, string>>
  /** Shown in mails. */
  productName: string
  mailFrom: string

  /** `smtp://user:password@host:port`; without it, mails stay in the built-in mailbox. */
  smtpUrl?: string
  /** Who may read the built-in mailbox; without it, nobody. */
  mailbox?: MailboxSettings
  /** Whether a confirmed account belongs to somebody on the team: mails to others have a limit of their own. Without it, each does. */
  isMember?: (userId: string) => Promise<boolean>
  /** Learns of mails that will never arrive. */
  onMailGivenUp?: (mail: GivenUpMail) => Promise<void>
  /** Overrides of individual mails, see mail-templates.ts. */
  templates: MailTemplates
  /** Shows a code next to each link, for an app that has a field for it. */
  mailsShowCode: boolean
  minPasswordLength: number
  /** Character sets; a password must contain at least one character of each. */
  requiredCharacters: string[]
  signUpDisabled: boolean
  /** Confirms every address immediately, without a mail. */
  autoconfirm: boolean
  /** Whether links may go on in the PKCE flow: such a link is of no use to anybody but the app that asked for it. */
  allowsPkce: boolean
  /** Changing the address requires confirmation from both the old and the new one. */
  secureEmailChange: boolean
  /** Setting a password in a session older than a day requires a mailed code. */
  requireReauthentication: boolean
  /** Setting a password requires the current one, except within 15 minutes of signing in with a mailed link. */
  requireCurrentPassword: boolean
  /**
   * Setting up or removing a second factor, changing the address, or the password of an account that has one, and ending a session of the last
   * 15 minutes, requires that the caller's session signed in or showed a second factor within 15 minutes.
   */
  requireRecentProof: boolean
  accessTokenSeconds: number
  /** How long a replaced refresh token is still accepted, for two tabs or a lost response. */
  refreshReuseSeconds: number
  oneTimeTokenSeconds: number
  inviteSeconds: number
  /** Minimum interval between two mails of the same kind to one address, at the request of one network. */
  mailIntervalSeconds: number
  flowStateSeconds: number
  /** Multiplies every rate limit; 0 disables them. */
  rateLimitFactor: number
  /** Minimum duration of responses that could reveal whether an account exists. */
  minResponseMilliseconds: number
}

type Required = Pick<AuthSettings, 'siteUrl' | 'redirectAllowList' | 'productName' | 'mailFrom'>
export type AuthOptions = Required & Partial<AuthSettings>

const DAY = 24 * 60 * 60

type Optional = 'linkPages' | 'smtpUrl' | 'mailbox' | 'isMember' | 'onMailGivenUp'

const defaults: Omit<AuthSettings, keyof Required | Optional> = {
  templates: {},
  mailsShowCode: false,
  minPasswordLength: 6,
  requiredCharacters: [],
  signUpDisabled: false,
  autoconfirm: false,
  allowsPkce: true,
  secureEmailChange: true,
  requireReauthentication: false,
  requireCurrentPassword: false,
  requireRecentProof: false,
  accessTokenSeconds: 3600,
  refreshReuseSeconds: 10,
  oneTimeTokenSeconds: 3600,
  inviteSeconds: 7 * DAY,
  mailIntervalSeconds: 60,
  flowStateSeconds: 300,
  rateLimitFactor: 1,
  minResponseMilliseconds: 150,
}

export function completeSettings(options: AuthOptions): AuthSettings {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return { ...defaults, ...(Object.fromEntries(given) as AuthOptions) }
}
