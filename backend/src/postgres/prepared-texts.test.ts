import { expect, test } from 'vitest'
import { LIMITS } from './limits.ts'
import { PreparedTexts } from './prepared-texts.ts'

const text = (bytes: number, index: number) => `${index}`.padEnd(bytes, 'x')
const KIBIBYTE = 1024

test('a caller prepares a share, by the length of the texts; others and the server itself are not affected', () => {
  const prepared = new PreparedTexts()
  const share = LIMITS.preparedBytesPerCaller / (KIBIBYTE + LIMITS.preparedStatementBytes)
  let count = 0
  while (prepared.add(text(KIBIBYTE, count), 'ann')) count++
  expect(count).toBe(Math.floor(share))
  // What is known keeps its name.
  expect(prepared.get(text(KIBIBYTE, 0))?.name).toBe('pipelined_0')
  expect(prepared.get(text(KIBIBYTE, count))).toBeUndefined()
  expect(prepared.add(text(KIBIBYTE, count), 'bob')?.name).toBe(`pipelined_${count}`)
  expect(prepared.add('the settings of a request', null)).not.toBeNull()
})

test('a connection is full by the length of its texts, or by their number', () => {
  for (const bytes of [8, 8 * KIBIBYTE]) {
    const prepared = new PreparedTexts()
    let count = 0
    while (!prepared.isFull) prepared.add(text(bytes, count++), `member ${count}`)
    expect(count).toBe(
      Math.floor(LIMITS.preparedBytes / (bytes + LIMITS.preparedStatementBytes)) + 1,
    )
  }
})
