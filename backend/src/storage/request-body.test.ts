import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LIMITS } from './limits.ts'
import { bodyChunks } from './request-body.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Controller = ReadableStreamDefaultController<Uint8Array>
type Source = {
  start?: (controller: Controller) => void
  pull: (controller: Controller) => Promise<void> | void
  cancel: () => void
}

function testRequest(source: Source) {
  const body = new ReadableStream<Uint8Array>(source, { highWaterMark: 0 })
  return new Request('http://localhost', { method: 'POST', body, duplex: 'half' })
}

const RATE = LIMITS.uploadRateBytes / (LIMITS.uploadRateMs / 1000)

/** Receives an upload that never ends. */
function receive(bytesPerSecond: number) {
  const cancel = vi.fn()
  const pull = async (controller: Controller) => {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    controller.enqueue(new Uint8Array(bytesPerSecond))
  }
  const upload = { cancel, outcome: null as unknown }
  void (async () => {
    try {
      for await (const chunk of bodyChunks(testRequest({ pull, cancel })))
        expect(chunk.byteLength).toBe(bytesPerSecond)
    } catch (error) {
      upload.outcome = error
    }
  })()
  return upload
}

test('an upload that does not finish in time is rejected, then no longer drained', async () => {
  const upload = receive(RATE * 1.5)
  await vi.advanceTimersByTimeAsync(LIMITS.uploadMs - 1)
  expect(upload.outcome).toBeNull()
  await vi.advanceTimersByTimeAsync(1)
  expect(upload.outcome).toMatchObject({ status: 408 })
  expect(upload.cancel).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(LIMITS.drainMs)
  expect(upload.cancel).toHaveBeenCalled()
})

test('an upload that nearly stops is rejected long before its time is over', async () => {
  const upload = receive(RATE / 2)
  await vi.advanceTimersByTimeAsync(2 * LIMITS.uploadRateMs)
  expect(upload.outcome).toMatchObject({ status: 408 })
})

test('a rejected upload is drained up to the size limit of a file', async () => {
  const cancel = vi.fn()
  const mebibyte = new Uint8Array(1024 * 1024)
  const chunks = bodyChunks(
    testRequest({ pull: (controller) => controller.enqueue(mebibyte), cancel }),
  )
  await chunks.next()
  await chunks.return(undefined)
  await vi.waitFor(() => expect(cancel).toHaveBeenCalled())
})
