import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAssembler, splitIntoParts } from './notification-parts.ts'

const LARGEST_NOTIFICATION = 7999

const anyText = fc
  .array(fc.string({ unit: 'binary', maxLength: 50 }), { maxLength: 8 })
  .chain((pieces) => fc.nat({ max: 600 }).map((times) => pieces.join('\n').repeat(times)))

test('any text arrives as it was, in notifications that Postgres takes', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const parts = splitIntoParts('a-sender', 12, text)
      for (const part of parts)
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(LARGEST_NOTIFICATION)
      const assemble = createAssembler()
      const results = parts.map((part) => assemble(Buffer.from(part).toString()))
      expect(results.pop()).toEqual({ sender: 'a-sender', text })
      expect(results.every((result) => result === null)).toBe(true)
    }),
    { numRuns: 50 },
  )
})

test('a text whose middle was lost is dropped, and the next one arrives', () => {
  const [first, , third] = splitIntoParts('a-sender', 1, 'x'.repeat(9000))
  const assemble = createAssembler()
  expect(assemble(first ?? '')).toBeNull()
  expect(assemble(third ?? '')).toBeNull()
  expect(assemble(splitIntoParts('a-sender', 2, 'next')[0] ?? '')?.text).toBe('next')
})

test('the parts of two senders may mingle', () => {
  const assemble = createAssembler()
  const one = splitIntoParts('one', 1, '1'.repeat(9000))
  const two = splitIntoParts('two', 1, '2'.repeat(9000))
  const texts = one.flatMap((part, index) => [assemble(part), assemble(two[index] ?? '')])
  expect(texts.flatMap((each) => each?.text[0] ?? [])).toEqual(['1', '2'])
})
