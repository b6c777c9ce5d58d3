import { expect, test } from 'vitest'
import { initialsOf, stableColour } from './initials.ts'

test.each([
  ['Maya Ortiz', 'MO'],
  ['Maya de la Cruz', 'MC'],
  ['émile', 'É'],
  ['  ', ''],
  ['😀 Smile', '😀S'],
])('the initials of %j are %j', (name, initials) => expect(initialsOf(name)).toBe(initials))

test('the same seed has the same colour, and seeds differ', () => {
  expect(stableColour('maya')).toBe(stableColour('maya'))
  const seeds = Array.from({ length: 50 }, (_, index) => `member-${index}`)
  expect(new Set(seeds.map(stableColour)).size).toBeGreaterThan(4)
})
