// @vitest-environment node
import { expect, test } from 'vitest'
import { initialsOf, stableColor } from './initials.ts'

test.each([
  ['Maya Ortiz', 'MO'],
  ['Maya de la Cruz', 'MC'],
  ['émile', 'É'],
  ['  ', ''],
  ['😀 Smile', '😀S'],
])('the initials of %j are %j', (name, initials) => expect(initialsOf(name)).toBe(initials))

test('the same seed always has the same color, and different seeds differ', () => {
  expect(stableColor('maya')).toBe(stableColor('maya'))
  const seeds = Array.from({ length: 50 }, (_, index) => `member-${index}`)
  expect(new Set(seeds.map(stableColor)).size).toBeGreaterThan(4)
})
