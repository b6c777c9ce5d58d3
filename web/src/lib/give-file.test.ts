import { beforeEach, expect, test, vi } from 'vitest'
import { startNativePhone } from '../../testing/native-phone.ts'

beforeEach(() => void vi.resetModules())

const FILE = ['team-night.ics', 'BEGIN:VCALENDAR', 'text/calendar'] as const
const WRITTEN = { 'Filesystem.writeFile': { uri: 'file:///cache/team-night.ics' } }

test('a phone, whose web view downloads nothing, asks in its own sheet what to do with a file', async () => {
  const phone = startNativePhone(WRITTEN)
  const { giveFile } = await import('./give-file.ts')
  await giveFile(...FILE)
  expect(phone.calledWith('Filesystem.writeFile')).toMatchObject([
    { path: 'team-night.ics', data: 'BEGIN:VCALENDAR', directory: 'CACHE', encoding: 'utf8' },
  ])
  expect(phone.calledWith('Share.share')).toEqual([{ files: ['file:///cache/team-night.ics'] }])
})

test('closing that sheet is no failure, a file that cannot be written is', async () => {
  startNativePhone({ ...WRITTEN, 'Share.share': new Error('Share canceled') })
  const { giveFile } = await import('./give-file.ts')
  await expect(giveFile(...FILE)).resolves.toBeUndefined()
  startNativePhone({ 'Filesystem.writeFile': new Error('no space left') })
  await expect(giveFile(...FILE)).rejects.toThrow('no space left')
})
