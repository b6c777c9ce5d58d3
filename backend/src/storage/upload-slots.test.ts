import { expect, test } from 'vitest'
import { LIMITS } from './limits.ts'
import { withUploadSlot } from './upload-slots.ts'

function someRoom() {
  const room = {
    slots: new Map<string, number>(),
    freeBytes: () => Promise.resolve(Infinity),
    stagingDirectory: '',
  }
  const unfinished = () => new Promise<never>(() => undefined)
  return {
    /** Begins an upload that never ends; false when it is refused. */
    begin: (uploader: string, role = 'authenticated') =>
      Promise.race([
        withUploadSlot(room, { role, uploader }, unfinished).catch(() => false),
        new Promise<boolean>((resolve) => setImmediate(() => resolve(true))),
      ]),
    upload: (uploader: string) =>
      withUploadSlot(room, { role: 'authenticated', uploader }, () => Promise.resolve('stored')),
  }
}

test('a dozen members with as many uploads as they can leave room for everybody else', async () => {
  const { begin, upload } = someRoom()
  for (let member = 0; member < 12; member++)
    for (let each = 0; each < LIMITS.uploadsPerCaller; each++) await begin(`member ${member}`)
  expect(await upload('another')).toBe('stored')
  expect(await begin('another')).toBe(true)
  expect(await begin('another')).toBe(false)
})

test('while few uploads run, a member may run several; a trusted server always', async () => {
  const { begin } = someRoom()
  const several = Array.from({ length: LIMITS.uploadsPerCaller + 1 }, () => begin('member'))
  expect((await Promise.all(several)).filter(Boolean)).toHaveLength(LIMITS.uploadsPerCaller)
  for (let each = LIMITS.uploadsPerCaller; each < LIMITS.uploads; each++)
    expect(await begin('server', 'service_role')).toBe(true)
  expect(await begin('server', 'service_role')).toBe(false)
})
