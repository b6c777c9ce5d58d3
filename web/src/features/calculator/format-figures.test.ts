import { expect, test } from 'vitest'
import { formatRate } from './format-figures.ts'

test.each([
  ['sales', 0.33, 'day', '1 every 3 days'],
  ['sales', 0.5, 'day', '1'],
  ['sales', 0.49, 'week', '1 every 2 weeks'],
  ['recruits', 0.1, 'month', '1 every 10 months'],
  ['sales', 0, 'day', '0'],
  ['leaders', 0.25, 'day', '0.3'],
  ['leaders', 0.02, 'week', '1 every 50 weeks'],
  ['premium', 0.2, 'day', '$0'],
] as const)('%s at %d a %s reads %s', (stage, value, period, text) =>
  expect(formatRate(stage, value, period).replace('\u00a0', ' ')).toBe(text),
)
