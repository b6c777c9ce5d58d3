import { expect, test } from 'vitest'
import { matchingStep, newSecret, otpAuthUri } from './totp.ts'

/** The secret of RFC 6238's test vectors, "12345678901234567890". */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('at %i seconds the code is that of RFC 6238', (seconds, code) => {
  expect(matchingStep(SECRET, code, new Date(seconds * 1000))).toBe(Math.floor(seconds / 30))
})

test('a code counts one step early and late, and no further', () => {
  const step = Math.floor(1234567890 / 30)
  const at = (drift: number) => matchingStep(SECRET, '005924', new Date((step + drift) * 30_000))
  expect([-2, -1, 0, 1, 2].map(at)).toEqual([null, step, step, step, null])
})

test.each(['', '00592', '0059240', '00592a', ' 005924', '٠٠٥٩٢٤'])('%o is no code', (code) => {
  expect(matchingStep(SECRET, code, new Date(1234567890_000))).toBeNull()
})

test('a secret has 160 random bits in base 32', () => {
  expect(newSecret()).toMatch(/^[A-Z2-7]{32}$/)
  expect(newSecret()).not.toBe(newSecret())
})

test('the address for authenticator apps escapes what it names', () => {
  expect(otpAuthUri(SECRET, 'Our Team', 'ann+1@example.com')).toBe(
    `otpauth://totp/Our%20Team:ann%2B1%40example.com?algorithm=SHA1&digits=6&issuer=Our%20Team&period=30&secret=${SECRET}`,
  )
})
