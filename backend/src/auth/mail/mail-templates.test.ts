import { expect, test } from 'vitest'
import { composeMail, mailShowsCode, type MailData } from './mail-templates.ts'
import { mailTexts, spellLifetime, type MailKind } from './mail-texts.ts'

const facts: MailData = {
  kind: 'confirmation',
  language: 'en',
  productName: 'Team & Co',
  siteUrl: 'https://app.example',
  email: 'ann@example.com',
  newEmail: 'new@example.com',
  link: 'https://app.example/auth/v1/verify?token=abc&type=signup',
  redirectTo: 'https://app.example',
  token: 'abc',
  code: '012345',
  lifetimeSeconds: 3600,
}
const kinds = Object.keys(mailTexts.en) as MailKind[]

test.each(kinds)('the %s mail is complete in every language, as text and as HTML', (kind) => {
  for (const language of ['en', 'es'] as const) {
    const mail = composeMail({ ...facts, kind, language }, {})
    expect(mail.subject).not.toMatch(/[{}]|\n/)
    expect(mail.text).not.toMatch(/[{}]/)
    expect(mail.text).toContain('012345')
    expect(mail.html).toContain('012345')
    expect(mail.html).toContain('Team &amp; Co')
    const hasLink = kind !== 'reauthentication'
    expect(mail.text.includes(facts.link)).toBe(hasLink)
    expect(
      mail.html.includes('href="https://app.example/auth/v1/verify?token=abc&amp;type=signup"'),
    ).toBe(hasLink)
  }
})

test('a mail without a code shows none', () => {
  for (const kind of kinds.filter((each) => each !== 'reauthentication')) {
    const { text, html } = composeMail({ ...facts, kind, code: '' }, {})
    for (const part of [text, html]) expect(part).not.toContain(mailTexts.en[kind].codeHint)
  }
})

test('a code is issued only for mails that show it: without a link, by setting, or with a placeholder', () => {
  const mail = { kind: 'invite', language: 'en' } as const
  const none = { templates: {}, always: false }
  expect(kinds.filter((kind) => mailShowsCode({ ...mail, kind }, none))).toEqual([
    'reauthentication',
  ])
  expect(mailShowsCode(mail, { ...none, always: true })).toBe(true)
  const own = { html: '{{ .ConfirmationURL }}', text: '{{ .ConfirmationURL }}' }
  expect(mailShowsCode(mail, { templates: { invite: own }, always: true })).toBe(false)
  const withCode = { ...own, text: 'Code: {{.Token}}' }
  expect(mailShowsCode(mail, { templates: { 'invite.en': withCode }, always: false })).toBe(true)
})

test('the lifetime of a link is in the mail’s language', () => {
  expect(spellLifetime(3600, 'en')).toBe('1 hour')
  expect(spellLifetime(7 * 86_400, 'es')).toBe('7 días')
  expect(spellLifetime(600, 'en')).toBe('10 minutes')
})

test('custom templates cannot inject headers, and values are escaped in HTML', () => {
  const mail = composeMail(
    { ...facts, email: 'a&b@example.com' },
    {
      confirmation: {
        subject: 'Hi\r\nBcc: x {{.Email}}',
        html: '{{ .Email }}',
        text: '{{ .Email }}',
      },
    },
  )
  expect(mail).toEqual({
    subject: 'Hi Bcc: x a&b@example.com',
    html: 'a&amp;b@example.com',
    text: 'a&b@example.com',
  })
})
