import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { printProgress } from './progress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function aRun() {
  const lines: string[] = []
  return { lines, ...printProgress((line) => lines.push(line) > 0) }
}

test('how many rows are done is said every five seconds, and not before', () => {
  const { lines, progress, stop } = aRun()
  progress.rows(1_200)
  vi.advanceTimersByTime(4_999)
  expect(lines).toEqual([])
  vi.advanceTimersByTime(1)
  progress.rows(34)
  vi.advanceTimersByTime(5_000)
  expect(lines).toEqual(['5 s: 1,200 rows', '10 s: 1,234 rows'])
  stop()
})

test('one of them is one', () => {
  const { lines, progress, stop } = aRun()
  progress.rows(1)
  progress.files({ count: 1, bytes: 10 })
  vi.advanceTimersByTime(5_000)
  expect(lines).toEqual(['5 s: 1 row, 0 of 1 file (0 MB of 1 MB)'])
  stop()
})

test('once it is known how many files there are, so is how many of them are done', () => {
  const { lines, progress, stop } = aRun()
  progress.rows(50)
  progress.files({ count: 1_000, bytes: 2_500_000_000 })
  vi.advanceTimersByTime(5_000)
  progress.file(1_500_000)
  progress.file(500_001)
  vi.advanceTimersByTime(5_000)
  expect(lines).toEqual([
    '5 s: 50 rows, 0 of 1,000 files (0 MB of 2,500 MB)',
    '10 s: 50 rows, 2 of 1,000 files (3 MB of 2,500 MB)',
  ])
  stop()
})

test('after the end nothing more is said', () => {
  const { lines, progress, stop } = aRun()
  progress.rows(2)
  vi.advanceTimersByTime(5_000)
  stop()
  vi.advanceTimersByTime(60_000)
  expect(lines).toEqual(['5 s: 2 rows'])
})

test('progress is written to standard error, because standard output is for the result', () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const { stop } = printProgress()
  vi.advanceTimersByTime(5_000)
  expect(written.mock.calls).toEqual([['5 s: 0 rows\n']])
  written.mockRestore()
  stop()
})
