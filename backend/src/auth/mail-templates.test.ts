import { expect, test } from 'vitest'
import { composeMail, type MailFacts } from './mail-templates.ts'
import { mailTexts, spellLifetime, type MailKind } from './mail-texts.ts'

const facts: MailFacts = {
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
  showsCode: true,
}
const kinds = Object.keys(mailTexts.en) as MailKind[]

test.each(kinds)('the %s mail reads whole in every language, as text and as HTML', (kind) => {
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

test('where the app has no field for the digits, only a mail without a link shows them', () => {
  for (const kind of kinds) {
    const { text, html } = composeMail({ ...facts, kind, showsCode: false }, {})
    expect([text.includes('012345'), html.includes('012345')]).toEqual(
      kind === 'reauthentication' ? [true, true] : [false, false],
    )
  }
})

test('how long a link works is spelled in the mail’s language', () => {
  expect(spellLifetime(3600, 'en')).toBe('1 hour')
  expect(spellLifetime(7 * 86_400, 'es')).toBe('7 días')
  expect(spellLifetime(600, 'en')).toBe('10 minutes')
})

test('own words cannot break out of the subject line, and values stay text in HTML', () => {
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
