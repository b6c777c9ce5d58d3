// @vitest-environment node
import { expect, test } from 'vitest'
import { arrival } from './use-arrival.ts'

test.each([
  ['/home', '/newrepstart', 'deeper'],
  ['/admin', '/admin-manage', 'deeper'],
  ['/newrepstart', '/home', 'back'],
  ['/admin-manage', '/admin', 'back'],
  ['/admin', '/admin/audit', 'deeper'],
  ['/admin/invitations', '/admin/invite', 'back'],
  ['/profile/blocked', '/profile', 'back'],
  ['/home', '/schedule', 'none'],
  ['/training', '/calculator', 'none'],
  [undefined, '/training', 'none'],
] as const)('from %s to %s is %s', (from, to, expected) => {
  expect(arrival(from, to)).toBe(expected)
})
