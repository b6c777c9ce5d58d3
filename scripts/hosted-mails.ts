// What a hosted project mails: the words and look of the embedded backend's mails, as Go templates that pick the
// language of whoever is written to.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { composeMail } from '../backend/src/auth/mail-templates.ts'
import type { MailKind, MailLanguage } from '../backend/src/auth/mail-texts.ts'

const ROOT = join(import.meta.dirname, '..')
const { productName } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  productName: string
}

/** `otp_expiry` of supabase/config.toml: hosted links of every kind live equally long. */
const LIFETIME_S = 24 * 60 * 60

/** A changed address is confirmed by both mailboxes; hosted projects have one mail for both. */
export const HOSTED_KINDS = [
  'confirmation',
  'recovery',
  'magic_link',
  'invite',
  'email_change',
  'reauthentication',
] as const satisfies readonly MailKind[]

export type HostedMail = { subject: string; html: string }

export function hostedMail(kind: (typeof HOSTED_KINDS)[number]): HostedMail {
  const [english, spanish] = [compose(kind, 'en'), compose(kind, 'es')]
  return {
    subject: choose(spanish.subject, english.subject),
    html: choose(spanish.html, english.html),
  }
}

// By the first two letters, so that es-MX counts; printf also takes a locale that is missing.
function choose(spanish: string, english: string): string {
  return `{{ if eq (printf "%.2s" .Data.locale) "es" }}${spanish}{{ else }}${english}{{ end }}`
}

function compose(kind: MailKind, language: MailLanguage) {
  return composeMail(
    {
      kind,
      language,
      productName,
      siteUrl: '{{ .SiteURL }}',
      email: '{{ .Email }}',
      newEmail: '{{ .NewEmail }}',
      link: '{{ .ConfirmationURL }}',
      redirectTo: '{{ .RedirectTo }}',
      token: '{{ .TokenHash }}',
      code: '{{ .Token }}',
      lifetimeSeconds: LIFETIME_S,
      showsCode: false,
    },
    {},
  )
}
