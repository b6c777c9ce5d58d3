import { Writable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from './create-log.ts'
import { LIMITS } from './limits.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function someLog() {
  const lines: Record<string, unknown>[] = []
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>)
      done()
    },
  })
  return { log: createLog('info', sink), lines }
}

test('of warnings and errors that repeat, a few a minute are written, then how many were left out', () => {
  const { log, lines } = someLog()
  for (let each = 0; each < 1000; each++) {
    log.child({ requestId: each }).warn('busy')
    log.error({ err: new Error('x') }, 'failed')
    log.info({ err: new Error('x') }, 'rejected')
  }
  for (const msg of ['busy', 'failed', 'rejected'])
    expect(lines.filter((line) => line.msg === msg)).toHaveLength(LIMITS.logLinesPerKind)
  vi.advanceTimersByTime(LIMITS.logWindowMs)
  expect(lines.slice(3 * LIMITS.logLinesPerKind)).toMatchObject(
    ['busy', 'failed', 'rejected'].map((msg) => ({ msg, leftOut: 1000 - LIMITS.logLinesPerKind })),
  )
  log.warn('busy')
  expect(lines.at(-1)).not.toHaveProperty('leftOut')
})

test('the log of requests is complete', () => {
  const { log, lines } = someLog()
  for (let each = 0; each < 100; each++) log.info({ status: 200 }, 'request')
  expect(lines).toHaveLength(100)
})
