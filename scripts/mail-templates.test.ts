import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { HOSTED_KINDS, hostedMail } from './hosted-mails.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '../supabase', path), 'utf8')
const config = read('config.toml')
const section = (kind: string) => config.split(`[auth.email.template.${kind}]\n`)[1] ?? ''

/** The subset of Go templates that the mails use: one condition on the language, and values. */
function render(template: string, locale: string, values: Record<string, string>): string {
  const choice =
    /^\{\{ if eq \(printf "%\.2s" \.Data\.locale\) "es" \}\}([^]*)\{\{ else \}\}([^]*)\{\{ end \}\}$/
  const [, spanish = '', english = ''] = choice.exec(template) ?? []
  return (locale.slice(0, 2) === 'es' ? spanish : english).replace(
    /\{\{ \.(\w+) \}\}/g,
    (_, name: string) => values[name] ?? `no ${name}`,
  )
}

const VALUES = {
  ConfirmationURL: 'https://project.example/verify',
  Email: 'maya@example.com',
  NewEmail: 'new@example.com',
  Token: '0123456789',
}

describe.each(HOSTED_KINDS)('the hosted %s mail', (kind) => {
  test('is the embedded one: run `node scripts/mail-templates.mjs` after changing texts', () => {
    expect(read(`templates/${kind}.html`)).toBe(hostedMail(kind).html)
    expect(section(kind)).toContain(`subject = '${hostedMail(kind).subject}'\n`)
    expect(section(kind)).toContain(`content_path = "./supabase/templates/${kind}.html"`)
  })

  test.each([
    ['en', 'en'],
    ['es-MX', 'es'],
    // Accounts from before the setting existed.
    ['%!s(<nil>)', 'en'],
  ])('for the locale %s is in %s', (locale, language) => {
    const html = render(read(`templates/${kind}.html`), locale, VALUES)
    expect(html).toContain(`<html lang="${language}">`)
    expect(html).not.toMatch(/\{\{|no [A-Z]\w+/)
    const carries = kind === 'reauthentication' ? VALUES.Token : VALUES.ConfirmationURL
    expect(html).toContain(carries)
    const subject = render(hostedMail(kind).subject, locale, VALUES)
    expect(subject).toMatch(language === 'es' ? /tu|te/i : /your|you/i)
  })
})
