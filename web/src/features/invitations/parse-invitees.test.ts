import { expect, test } from 'vitest'
import { parseInvitees } from './parse-invitees.ts'

test.each([
  ['maya@example.com', 'maya@example.com', '', ''],
  ['Maya Ortiz <Maya@Example.com>', 'maya@example.com', 'Maya', 'Ortiz'],
  ['"Maya de la Cruz" maya@example.com', 'maya@example.com', 'Maya', 'de la Cruz'],
  ['maya@example.com Maya', 'maya@example.com', 'Maya', ''],
])('%j is parsed', (line, email, firstName, lastName) => {
  expect(parseInvitees(line)).toEqual({ invitees: [{ email, firstName, lastName }], unread: [] })
})

test('people are separated by lines, commas or semicolons, and each is listed once', () => {
  const { invitees } = parseInvitees('a@x.test, b@x.test\nc@x.test; A@x.test\n\n')
  expect(invitees.map(({ email }) => email)).toEqual(['a@x.test', 'b@x.test', 'c@x.test'])
})

test('pieces without an address are returned separately', () => {
  expect(parseInvitees('Maya Ortiz\nb@x.test').unread).toEqual(['Maya Ortiz'])
})
