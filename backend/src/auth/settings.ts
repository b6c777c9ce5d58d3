import type { MailTemplates } from './mail-templates.ts'

/** What the accounts service can be told. Only the first group has no default. */
export type AuthSettings = {
  /** Where people land when a request names no page, or one that is not allowed. */
  siteUrl: string
  /** Pages that links may lead to beside those of `siteUrl`; `*` stands for anything but `.` and `/`, `**` for anything. */
  redirectAllowList: string[]
  /** Shown in mails. */
  productName: string
  mailFrom: string

  /** `smtp://user:password@host:port`; without it, mails stay in the built-in mailbox. */
  smtpUrl?: string
  /** Replaces single mails, see mail-templates.ts. */
  templates: MailTemplates
  /** Shows the six digits beside each link, for an app that has a field for them. */
  mailsShowCode: boolean
  minPasswordLength: number
  /** Sets of characters of which a password must hold at least one each. */
  requiredCharacters: string[]
  signUpDisabled: boolean
  /** Confirms every address at once, without a mail. */
  autoconfirm: boolean
  /** Changing the address asks the owner of the old one and of the new one. */
  secureEmailChange: boolean
  /** Setting a password in a session older than a day asks for a mailed code. */
  requireReauthentication: boolean
  /** Setting a password asks for the current one, except after a recovery link. */
  requireCurrentPassword: boolean
  accessTokenSeconds: number
  /** A refresh token that was just replaced may be shown again for so long: two tabs, a lost answer. */
  refreshReuseSeconds: number
  oneTimeTokenSeconds: number
  inviteSeconds: number
  /** A person waits so long between two mails of the same kind. */
  mailIntervalSeconds: number
  flowStateSeconds: number
  /** Multiplies every rate limit; 0 switches them off. */
  rateLimitFactor: number
  /** Answers that could tell whether an account exists take at least so long. */
  evenAnswerMilliseconds: number
}

type Required = Pick<AuthSettings, 'siteUrl' | 'redirectAllowList' | 'productName' | 'mailFrom'>
export type AuthOptions = Required & Partial<AuthSettings>

const DAY = 24 * 60 * 60

const defaults: Omit<AuthSettings, keyof Required | 'smtpUrl'> = {
  templates: {},
  mailsShowCode: false,
  minPasswordLength: 6,
  requiredCharacters: [],
  signUpDisabled: false,
  autoconfirm: false,
  secureEmailChange: true,
  requireReauthentication: false,
  requireCurrentPassword: false,
  accessTokenSeconds: 3600,
  refreshReuseSeconds: 10,
  oneTimeTokenSeconds: 3600,
  inviteSeconds: 7 * DAY,
  mailIntervalSeconds: 60,
  flowStateSeconds: 300,
  rateLimitFactor: 1,
  evenAnswerMilliseconds: 150,
}

export function completeSettings(options: AuthOptions): AuthSettings {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return { ...defaults, ...(Object.fromEntries(given) as AuthOptions) }
}
