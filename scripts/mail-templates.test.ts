import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { HOSTED_KINDS, HOSTED_NOTICES, hostedMail } from './hosted-mails.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '../supabase', path), 'utf8')
const config = read('config.toml')
const section = (group: string, kind: string) =>
  config.split(`[auth.email.${group}.${kind}]\n`)[1]?.split('\n[')[0] ?? ''

type Values = Record<string, string>

/** The subset of Go templates that the mails use: conditions on the language or on a value, nested, and values. */
function render(template: string, locale: string, values: Values): string {
  const innermost =
    /\{\{ if (?:eq \(printf "%\.2s" \.Data\.locale\) "(\w+)"|\.(Data\.\w+)) \}\}((?:(?!\{\{ if)[^])*?)\{\{ else \}\}((?:(?!\{\{ if)[^])*?)\{\{ end \}\}/
  const chosen = template.replace(
    innermost,
    (_, language: string, name: string, then: string, otherwise: string) =>
      (language ? locale.slice(0, 2) === language : values[name]) ? then : otherwise,
  )
  if (chosen !== template) return render(chosen, locale, values)
  return template.replace(
    /\{\{ \.([\w.]+) \}\}/g,
    (_, name: string) => values[name] ?? `no ${name}`,
  )
}

const VALUES: Values & { Token: string; ConfirmationURL: string } = {
  ConfirmationURL: 'https://project.example/verify',
  Email: 'maya@example.com',
  NewEmail: 'new@example.com',
  Token: '0123456789',
}

/** The file and the section of config.toml are what the embedded backend's words make of them. */
function expectWritten(kind: Parameters<typeof hostedMail>[0], group: 'template' | 'notification') {
  const { subject, html } = hostedMail(kind)
  expect(read(`templates/${kind}.html`)).toBe(html)
  expect(section(group, kind)).toContain(`subject = '${subject}'\n`)
  expect(section(group, kind)).toContain(`content_path = "./supabase/templates/${kind}.html"`)
}

describe.each(HOSTED_KINDS)('the hosted %s mail', (kind) => {
  test('is the embedded one: run `node scripts/mail-templates.mjs` after changing texts', () => {
    expectWritten(kind, 'template')
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

describe.each(HOSTED_NOTICES)('the hosted %s mail', (kind) => {
  test('is the embedded one, and is on', () => {
    expectWritten(kind, 'notification')
    expect(section('notification', kind)).toContain('enabled = true\n')
  })

  test.each(['en', 'es'])(
    'in %s leads to the login with what the auth service fills in',
    (locale) => {
      const values = {
        SiteURL: 'https://team.example',
        Email: 'maya@example.com',
        ...(kind === 'email_changed' && { OldEmail: 'old@example.com' }),
      }
      const html = render(read(`templates/${kind}.html`), locale, values)
      expect(html).toContain(`<html lang="${locale}">`)
      expect(html).not.toMatch(/\{\{|no [A-Z]\w+/)
      for (const value of Object.values(values)) expect(html).toContain(value)
    },
  )
})

test('the hosted invitation names who invites and who is invited, as far as it knows', () => {
  const { subject, html } = hostedMail('invite')
  const names = {
    'Data.invited_by': 'Dana Fox',
    'Data.first_name': 'Maya',
    'Data.last_name': 'Ortiz',
  }
  expect(render(subject, 'en', { ...VALUES, ...names })).toBe('Dana Fox invites you to Rally')
  expect(render(html, 'es', { ...VALUES, ...names })).toContain(
    'Dana Fox invita a Maya Ortiz (maya@example.com) a unirse a Rally.',
  )
  expect(render(subject, 'es', VALUES)).toBe('Tu equipo te invita a Rally')
  expect(render(html, 'en', VALUES)).toContain('Your team invites maya@example.com to join Rally.')
})
