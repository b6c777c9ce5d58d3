// Renders mails that every mail client can show: one table, inline styles, no images, and a plain text version.
import {
  mailTexts,
  spellLifetime,
  UNNAMED_INVITER,
  type MailKind,
  type MailLanguage,
  type MailText,
} from './mail-texts.ts'

export type MailTemplate = { subject?: string; html?: string; text?: string }
/**
 * Custom mails, with the placeholders of hosted Supabase: `{{ .ConfirmationURL }}`, `{{ .Token }}` …
 * `invite` applies to every language, `invite.es` to Spanish.
 */
export type MailTemplates = Partial<Record<MailKind | `${MailKind}.${MailLanguage}`, MailTemplate>>

export type MailData = {
  kind: MailKind
  language: MailLanguage
  productName: string
  siteUrl: string
  email: string
  newEmail: string
  /** After an address was changed: the one before. */
  oldEmail?: string
  link: string
  redirectTo: string
  token: string
  /** Empty when the mail shows none, see `mailShowsCode`. */
  code: string
  lifetimeSeconds: number
  /** The recipient's metadata, which invitations name people from. */
  data?: Record<string, unknown>
  /** Instead of what `data` says. */
  inviter?: string
  invitee?: string
}

export type MailContent = { subject: string; text: string; html: string }

const INK = '#14213d'
const MUTED = '#5b6475'
const FONT = "font-family:Inter,'Segoe UI',Helvetica,Arial,sans-serif"

export function composeMail(facts: MailData, overrides: MailTemplates): MailContent {
  const words = fillWords(mailTexts[facts.language][facts.kind], facts)
  const own = ownTemplate(facts, overrides)
  return {
    subject: oneLine(own.subject ? fillPlaceholders(own.subject, facts, false) : words.subject),
    text: own.text ? fillPlaceholders(own.text, facts, false) : plainText(words, facts),
    html: own.html ? fillPlaceholders(own.html, facts, true) : html(words, facts),
  }
}

function ownTemplate({ kind, language }: MailAddress, overrides: MailTemplates): MailTemplate {
  return { ...overrides[kind], ...overrides[`${kind}.${language}`] }
}

type MailAddress = Pick<MailData, 'kind' | 'language'>

/**
 * Whether a mail shows a code: it has no link, its template has the placeholder, or `always` adds the code to the built-in
 * text. No code is issued for other mails.
 */
export function mailShowsCode(
  mail: MailAddress,
  { templates, always }: { templates: MailTemplates; always: boolean },
): boolean {
  const { subject, html, text } = ownTemplate(mail, templates)
  const isBuiltIn = html === undefined || text === undefined
  const { button } = mailTexts[mail.language][mail.kind]
  if (isBuiltIn && (always || !button)) return true
  return [subject, html, text].some(
    (part) => part !== undefined && /\{\{\s*\.Token\s*\}\}/.test(part),
  )
}

function fillWords(words: MailText, facts: MailData): MailText {
  const values: Record<string, string> = {
    product: facts.productName,
    email: facts.email,
    newEmail: facts.newEmail,
    oldEmail: facts.oldEmail ?? '',
    hours: spellLifetime(facts.lifetimeSeconds, facts.language),
    inviter: facts.inviter ?? (textOf(facts, 'invited_by') || UNNAMED_INVITER[facts.language]),
    invitee: facts.invitee ?? inviteeOf(facts),
  }
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  return {
    subject: fill(words.subject),
    title: fill(words.title),
    body: fill(words.body),
    ...(words.button ? { button: fill(words.button) } : {}),
    codeHint: fill(words.codeHint),
    footer: fill(words.footer),
  }
}

function inviteeOf(facts: MailData): string {
  const name = `${textOf(facts, 'first_name')} ${textOf(facts, 'last_name')}`.trim()
  return name ? `${name} (${facts.email})` : facts.email
}

function textOf({ data }: MailData, key: string): string {
  const value = data?.[key]
  return typeof value === 'string' ? oneLine(value) : ''
}

function fillPlaceholders(template: string, facts: MailData, isHtml: boolean): string {
  const values: Record<string, string> = {
    ConfirmationURL: facts.link,
    Token: facts.code,
    TokenHash: facts.token,
    SiteURL: facts.siteUrl,
    RedirectTo: facts.redirectTo,
    Email: facts.email,
    NewEmail: facts.newEmail,
    OldEmail: facts.oldEmail ?? '',
  }
  return template.replace(/\{\{\s*\.(Data\.)?(\w+)\s*\}\}/g, (_, data: string, name: string) => {
    const value = (data ? textOf(facts, name) : values[name]) ?? ''
    return isHtml ? escapeHtml(value) : value
  })
}

function plainText(words: MailText, facts: MailData): string {
  const link = words.button ? [`${words.button}:\n${facts.link}`] : []
  return [
    words.title,
    words.body,
    ...link,
    ...(facts.code ? [`${words.codeHint} ${facts.code}`] : []),
    words.footer,
    facts.productName,
  ]
    .join('\n\n')
    .concat('\n')
}

function html(words: MailText, facts: MailData): string {
  const button = words.button
    ? `<p style="margin:0 0 24px"><a href="${escapeHtml(facts.link)}" style="display:inline-block;padding:14px 24px;border-radius:12px;background:${INK};color:#ffffff;${FONT};font-size:16px;font-weight:600;text-decoration:none">${escapeHtml(words.button)}</a></p>`
    : ''
  const code = facts.code
    ? `<p style="margin:0 0 4px;color:${MUTED};font-size:14px">${escapeHtml(words.codeHint)}</p>
<p style="margin:0 0 24px;font-size:28px;line-height:36px;font-weight:700;letter-spacing:4px">${escapeHtml(facts.code)}</p>`
    : ''
  return `<!doctype html>
<html lang="${facts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(words.subject)}</title>
</head>
<body style="margin:0;background:#f4f5f8">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(words.body)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f5f8"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px;background:#ffffff;border-radius:16px"><tr><td style="padding:32px;${FONT};color:${INK};font-size:16px;line-height:24px">
<p style="margin:0 0 24px;font-size:18px;font-weight:700">${escapeHtml(facts.productName)}</p>
<h1 style="margin:0 0 12px;font-size:24px;line-height:32px">${escapeHtml(words.title)}</h1>
<p style="margin:0 0 24px">${escapeHtml(words.body)}</p>
${button}
${code}
<p style="margin:0;color:${MUTED};font-size:14px;line-height:20px">${escapeHtml(words.footer)}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`
}

export function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

// A line break in the subject would inject a header.
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').trim()
}
