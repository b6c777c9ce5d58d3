import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAssembler, splitIntoChunks } from './notification-chunks.ts'

const LARGEST_NOTIFICATION = 7999

const anyText = fc
  .array(fc.string({ unit: 'binary', maxLength: 50 }), { maxLength: 8 })
  .chain((pieces) => fc.nat({ max: 600 }).map((times) => pieces.join('\n').repeat(times)))

test('any text survives the round trip, in chunks that fit a Postgres notification', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const chunks = splitIntoChunks('a-sender', 12, text)
      for (const chunk of chunks)
        expect(Buffer.byteLength(chunk)).toBeLessThanOrEqual(LARGEST_NOTIFICATION)
      const assemble = createAssembler()
      const results = chunks.map((chunk) => assemble(Buffer.from(chunk).toString()))
      expect(results.pop()).toEqual({ sender: 'a-sender', text })
      expect(results.every((result) => result === null)).toBe(true)
    }),
    { numRuns: 50 },
  )
})

test('a text with a missing chunk is dropped, and the next one arrives', () => {
  const [first, , third] = splitIntoChunks('a-sender', 1, 'x'.repeat(9000))
  const assemble = createAssembler()
  expect(assemble(first ?? '')).toBeNull()
  expect(assemble(third ?? '')).toBeNull()
  expect(assemble(splitIntoChunks('a-sender', 2, 'next')[0] ?? '')?.text).toBe('next')
})

test('chunks of two senders may interleave', () => {
  const assemble = createAssembler()
  const one = splitIntoChunks('one', 1, '1'.repeat(9000))
  const two = splitIntoChunks('two', 1, '2'.repeat(9000))
  const texts = one.flatMap((chunk, index) => [assemble(chunk), assemble(two[index] ?? '')])
  expect(texts.flatMap((each) => each?.text[0] ?? [])).toEqual(['1', '2'])
})
