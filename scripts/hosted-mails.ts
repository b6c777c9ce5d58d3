// The mails of a hosted project: the embedded backend's texts and layout as Go templates that pick the
// recipient's language.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { composeMail } from '../backend/src/auth/mail/mail-templates.ts'
import {
  UNNAMED_INVITER,
  type MailKind,
  type MailLanguage,
} from '../backend/src/auth/mail/mail-texts.ts'

const ROOT = join(import.meta.dirname, '..')
const { productName } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  productName: string
}

/** `otp_expiry` of supabase/config.toml: hosted links of every kind have the same lifetime. */
const LIFETIME_S = 24 * 60 * 60

/** An e-mail change is confirmed by both addresses; hosted projects use one mail for both. */
export const HOSTED_KINDS = [
  'confirmation',
  'recovery',
  'magic_link',
  'invite',
  'email_change',
  'reauthentication',
] as const satisfies readonly MailKind[]

/** Mails that lead to the login and open nothing by themselves. */
export const HOSTED_NOTICES = [
  'password_changed',
  'email_changed',
] as const satisfies readonly MailKind[]

export type HostedMail = { subject: string; html: string }

type HostedKind = (typeof HOSTED_KINDS | typeof HOSTED_NOTICES)[number]

export function hostedMail(kind: HostedKind): HostedMail {
  const [english, spanish] = [compose(kind, 'en'), compose(kind, 'es')]
  return {
    subject: choose(spanish.subject, english.subject),
    html: choose(spanish.html, english.html),
  }
}

// Compares the first two letters, so that es-MX counts; printf also accepts a missing locale.
function choose(spanish: string, english: string): string {
  return `{{ if eq (printf "%.2s" .Data.locale) "es" }}${spanish}{{ else }}${english}{{ end }}`
}

const NAMED = '{{ .Data.first_name }} {{ .Data.last_name }} ({{ .Email }})'

function given(value: string, then: string, otherwise: string): string {
  return `{{ if ${value} }}${then}{{ else }}${otherwise}{{ end }}`
}

const isNotice = (kind: HostedKind) => HOSTED_NOTICES.some((notice) => notice === kind)

function compose(kind: HostedKind, language: MailLanguage) {
  return composeMail(
    {
      kind,
      language,
      productName,
      siteUrl: '{{ .SiteURL }}',
      email: '{{ .Email }}',
      newEmail: '{{ .NewEmail }}',
      oldEmail: '{{ .OldEmail }}',
      link: isNotice(kind) ? '{{ .SiteURL }}' : '{{ .ConfirmationURL }}',
      redirectTo: '{{ .RedirectTo }}',
      token: '{{ .TokenHash }}',
      // Only the mail without a link shows its code.
      code: kind === 'reauthentication' ? '{{ .Token }}' : '',
      lifetimeSeconds: LIFETIME_S,
      inviter: given('.Data.invited_by', '{{ .Data.invited_by }}', UNNAMED_INVITER[language]),
      invitee: given('.Data.first_name', NAMED, '{{ .Email }}'),
    },
    {},
  )
}
