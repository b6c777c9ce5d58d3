import { expect, test } from 'vitest'
import { arrival } from './arrival.ts'

test.each([
  ['/home', '/newrepstart', 'deeper'],
  ['/admin', '/admin-manage', 'deeper'],
  ['/newrepstart', '/home', 'back'],
  ['/admin-manage', '/admin', 'back'],
  ['/home', '/schedule', 'beside'],
  ['/training', '/calculator', 'beside'],
  [undefined, '/training', 'beside'],
] as const)('from %s to %s is %s', (from, to, expected) => {
  expect(arrival(from, to)).toBe(expected)
})
