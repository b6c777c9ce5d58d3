// @vitest-environment node
import { afterEach, expect, test, vi } from 'vitest'
import { newId } from './new-id.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

afterEach(() => void vi.unstubAllGlobals())

test('an id is a random uuid', () => {
  expect(newId()).toMatch(UUID)
})

test('an id is a random uuid on a plain http address too', () => {
  const getRandomValues = (bytes: Uint8Array) => bytes.fill(255)
  vi.stubGlobal('crypto', { getRandomValues })
  expect(newId()).toMatch(UUID)
})
