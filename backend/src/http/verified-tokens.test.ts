import { expect, test } from 'vitest'
import { callerFromClaims } from './caller.ts'
import { LIMITS } from './limits.ts'
import { VerifiedTokens } from './verified-tokens.ts'

const NOW = Date.UTC(2026, 10, 21)

function aCaller(metadataLength = 0, lifetimeSeconds = 3600) {
  const exp = NOW / 1000 + lifetimeSeconds
  return callerFromClaims({ role: 'authenticated', exp, metadata: 'x'.repeat(metadataLength) })
}

test('a verified token is known until it is deleted', () => {
  const tokens = new VerifiedTokens()
  const caller = aCaller()
  tokens.add('one', caller, NOW)
  expect(tokens.get('one')).toBe(caller)
  expect(tokens.get('other')).toBeUndefined()
  tokens.delete('one')
  expect(tokens.get('one')).toBeUndefined()
})

test('tokens with long metadata push out the oldest before they take more than their share of memory', () => {
  const tokens = new VerifiedTokens()
  const caller = aCaller(4_000)
  const most = Math.floor(LIMITS.verifiedTokensBytes / (3 * 4_000))
  for (let each = 0; each <= most; each++) tokens.add(`token ${each}`, caller, NOW)
  const isKept = (each: number) => tokens.get(`token ${each}`) !== undefined
  const kept = Array.from({ length: most + 1 }, (_, each) => each).filter(isKept)
  expect(kept.length * 3 * 4_000).toBeLessThanOrEqual(LIMITS.verifiedTokensBytes)
  expect(kept.length * 4 * 4_000).toBeGreaterThan(LIMITS.verifiedTokensBytes)
  expect(isKept(0)).toBe(false)
  expect(isKept(most)).toBe(true)
})

test('a token that is too large is verified each time', () => {
  const tokens = new VerifiedTokens()
  tokens.add('huge', aCaller(LIMITS.verifiedTokenBytes), NOW)
  expect(tokens.get('huge')).toBeUndefined()
})

test('what has expired makes room for what is new', () => {
  const tokens = new VerifiedTokens()
  tokens.add('old', aCaller(0, 60), NOW)
  tokens.add('new', aCaller(), NOW + 61_000)
  expect(tokens.get('old')).toBeUndefined()
  expect(tokens.get('new')).toBeDefined()
})

test('a token added twice counts once', () => {
  const tokens = new VerifiedTokens()
  const most = Math.floor(LIMITS.verifiedTokensBytes / (3 * 4_000))
  for (let each = 0; each <= most; each++) {
    tokens.add('first', aCaller(4_000), NOW)
    tokens.add('same', aCaller(4_000), NOW)
  }
  expect(tokens.get('first')).toBeDefined()
})
