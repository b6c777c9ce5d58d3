import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { composeMail, type MailData } from './mail-templates.ts'
import { readMailTemplates } from './read-mail-templates.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mails-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
const facts: MailData = {
  kind: 'invite',
  language: 'en',
  productName: 'Team',
  siteUrl: 'https://app.example',
  email: 'ann@example.com',
  newEmail: '',
  link: 'https://app.example/verify',
  redirectTo: 'https://app.example',
  token: 'abc',
  code: '012345',
  lifetimeSeconds: 3600,
}

test('a custom mail applies to every language without its own', () => {
  write('invite.subject.txt', 'Come in, {{ .Email }}\n')
  write('invite.es.subject.txt', 'Pasa, {{ .Email }}\n')
  write('invite.html', '<a href="{{ .ConfirmationURL }}">Come</a>')
  write('.DS_Store', '')
  const templates = readMailTemplates(folder)
  const english = composeMail(facts, templates)
  const spanish = composeMail({ ...facts, language: 'es' }, templates)
  expect([english.subject, spanish.subject]).toEqual([
    'Come in, ann@example.com',
    'Pasa, ann@example.com',
  ])
  expect(spanish.html).toBe('<a href="https://app.example/verify">Come</a>')
  // Missing files keep the built-in text.
  expect(spanish.text).toContain('Tu equipo te invita')
})

test.each(['invitation.html', 'invite.fr.html', 'invite.md'])(
  'the unknown file %s is rejected by name',
  (name) => {
    write(name, '')
    expect(() => readMailTemplates(folder)).toThrow(`${name} is no mail`)
  },
)
