import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Badge, cappedCount } from './badge.tsx'

test.each([
  [1, '1'],
  [99, '99'],
  [100, '99+'],
])('%i is written %s', (count, text) => expect(cappedCount(count)).toBe(text))

test('no badge is shown when nothing is unread', () => {
  expect(render(<Badge count={0} />).container.childElementCount).toBe(0)
})
