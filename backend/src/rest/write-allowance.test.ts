import { expect, test } from 'vitest'
import { DatabaseBusyError, RequestAbortedError } from '#postgres/errors.ts'
import { LIMITS } from './limits.ts'
import type { ParsedRequest } from './request/parse-request.ts'
import { createWriteAllowance } from './write-allowance.ts'

const MAYA = { share: 'maya', isAdmitted: true }

/** A write of more than half of what a minute allows. */
const A_LARGE_WRITE = {
  action: { kind: 'insert', table: 'notes' },
  body: { kind: 'text', text: 'x'.repeat(LIMITS.writtenBytesPerMinute / 2) },
} as unknown as ParsedRequest

test.each([
  ['no connection became free for', new DatabaseBusyError('busy')],
  ['the client gave up before it began', new RequestAbortedError('gone')],
])('a write that %s does not count', async (_, error) => {
  const { run } = createWriteAllowance()
  const fails = () => run(A_LARGE_WRITE, MAYA, () => Promise.reject(error))
  await expect(fails()).rejects.toBe(error)
  await expect(fails()).rejects.toBe(error)
  await expect(fails()).rejects.toBe(error)
})

test('a write that failed in the database counts', async () => {
  const { run } = createWriteAllowance()
  const failure = new Error('failed')
  const fails = () => run(A_LARGE_WRITE, MAYA, () => Promise.reject(failure))
  await expect(fails()).rejects.toBe(failure)
  await expect(fails()).rejects.toMatchObject({ code: 'PGRSTX02' })
})
