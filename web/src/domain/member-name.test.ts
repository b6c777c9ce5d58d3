// @vitest-environment node
import { expect, test } from 'vitest'
import { firstName, memberName, nameOrAddress } from './member-name.ts'

const maya = { first_name: 'Maya', last_name: 'Ortiz', email: 'maya.ortiz@example.com' }

test.each([
  ['both names', maya, 'Maya Ortiz'],
  ['the name there is', { ...maya, first_name: '' }, 'Ortiz'],
  ['the local part of the address', { ...maya, first_name: '', last_name: null }, 'maya.ortiz'],
  ['"User"', { first_name: '', last_name: '', email: null }, 'User'],
])('a member is called by %s', (_what, member, name) => {
  expect(memberName(member)).toBe(name)
})

test('without a first name, the whole name is used', () => {
  expect(firstName(maya)).toBe('Maya')
  expect(firstName({ ...maya, first_name: ' ' })).toBe('Ortiz')
})

test('admins read the whole address of somebody without a name', () => {
  expect(nameOrAddress(maya)).toBe('Maya Ortiz')
  expect(nameOrAddress({ ...maya, first_name: '', last_name: '' })).toBe('maya.ortiz@example.com')
})
