// @vitest-environment node
import { expect, test } from 'vitest'
import { onboardingProgress } from './onboarding-progress.ts'

const items = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]

test('the next step is the first unfinished one, in list order', () => {
  expect(onboardingProgress(items, ['b'])).toEqual({ done: 1, total: 3, next: { id: 'a' } })
  expect(onboardingProgress(items, ['b', 'a'])).toEqual({ done: 2, total: 3, next: { id: 'c' } })
})

test('completed steps that were deleted since do not count', () => {
  expect(onboardingProgress(items, ['gone', 'a'])).toEqual({ done: 1, total: 3, next: { id: 'b' } })
})

test('when everything is done there is no next step', () => {
  expect(onboardingProgress(items, ['a', 'b', 'c'])).toEqual({ done: 3, total: 3, next: undefined })
  expect(onboardingProgress([], [])).toEqual({ done: 0, total: 0, next: undefined })
})
