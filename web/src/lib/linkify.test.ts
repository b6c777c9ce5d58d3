// @vitest-environment node
import { expect, test } from 'vitest'
import { linkify } from './linkify.ts'

function links(message: string) {
  return linkify(message).flatMap((part) => (part.kind === 'link' ? [part.href] : []))
}

test('a message without a link is one piece of text', () => {
  expect(linkify('See you at ten')).toEqual([{ kind: 'text', text: 'See you at ten' }])
})

test('web addresses become links and everything else stays as written', () => {
  const message = 'Deck: https://example.com/deck?page=4, then www.example.org.'
  expect(linkify(message)).toEqual([
    { kind: 'text', text: 'Deck: ' },
    {
      kind: 'link',
      text: 'https://example.com/deck?page=4',
      href: 'https://example.com/deck?page=4',
    },
    { kind: 'text', text: ', then ' },
    { kind: 'link', text: 'www.example.org', href: 'https://www.example.org/' },
    { kind: 'text', text: '.' },
  ])
  expect(
    linkify(message)
      .map(({ text }) => text)
      .join(''),
  ).toBe(message)
})

test('a closing bracket belongs to the sentence unless the address opened it', () => {
  expect(links('(see https://example.com/a)')).toEqual(['https://example.com/a'])
  expect(links('https://example.com/a_(b)')).toEqual(['https://example.com/a_(b)'])
})

test.each([
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'ftp://example.com/file',
  'https://bank.example.com@evil.example.net/login',
  'http://localhost/admin',
  'https://',
])('%s never becomes a link', (message) => {
  expect(links(message)).toEqual([])
})

test('bidirectional control characters end an address', () => {
  expect(links('https://example.com/\u202egpj.exe')).toEqual(['https://example.com/'])
})

test('mail addresses and phone numbers become links, meeting ids and figures do not', () => {
  const text =
    'Call (555) 010-2030, 555-010-2030 or +34 600 123 456, or write to dana.reyes@example.com.'
  expect(links(text)).toEqual([
    'tel:5550102030',
    'tel:5550102030',
    'tel:+34600123456',
    'mailto:dana.reyes@example.com',
  ])
  expect(links('Meeting 845 2210 7788, $1,000,000 on 2026-11-22 at 10:15')).toEqual([])
})
