import { expect, test } from 'vitest'
import { parseInvitees } from './parse-invitees.ts'

test.each([
  ['maya@example.com', 'maya@example.com', '', ''],
  ['Maya Ortiz <Maya@Example.com>', 'maya@example.com', 'Maya', 'Ortiz'],
  ['"Maya de la Cruz" maya@example.com', 'maya@example.com', 'Maya', 'de la Cruz'],
  ['maya@example.com Maya', 'maya@example.com', 'Maya', ''],
])('%j is read', (line, email, firstName, lastName) => {
  expect(parseInvitees(line)).toEqual({ invitees: [{ email, firstName, lastName }], unread: [] })
})

test('people stand on lines of their own or between commas and semicolons, each once', () => {
  const { invitees } = parseInvitees('a@x.test, b@x.test\nc@x.test; A@x.test\n\n')
  expect(invitees.map(({ email }) => email)).toEqual(['a@x.test', 'b@x.test', 'c@x.test'])
})

test('what holds no address is handed back', () => {
  expect(parseInvitees('Maya Ortiz\nb@x.test').unread).toEqual(['Maya Ortiz'])
})
