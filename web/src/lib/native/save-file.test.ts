import { beforeEach, expect, test, vi } from 'vitest'
import { startNativePhone } from '../../../testing/native-phone.ts'

beforeEach(() => void vi.resetModules())

const FILE = ['team-night.ics', 'BEGIN:VCALENDAR', 'text/calendar'] as const
const WRITTEN = { 'Filesystem.writeFile': { uri: 'file:///cache/team-night.ics' } }

test('on a phone, whose web view downloads nothing, the share sheet offers the file', async () => {
  const phone = startNativePhone(WRITTEN)
  const { saveFile } = await import('./save-file.ts')
  await saveFile(...FILE)
  expect(phone.calledWith('Filesystem.writeFile')).toMatchObject([
    { path: 'team-night.ics', data: 'BEGIN:VCALENDAR', directory: 'CACHE', encoding: 'utf8' },
  ])
  expect(phone.calledWith('Share.share')).toEqual([{ files: ['file:///cache/team-night.ics'] }])
})

test('closing the share sheet is not an error, a file that cannot be written is', async () => {
  startNativePhone({ ...WRITTEN, 'Share.share': new Error('Share canceled') })
  const { saveFile } = await import('./save-file.ts')
  await expect(saveFile(...FILE)).resolves.toBeUndefined()
  startNativePhone({ 'Filesystem.writeFile': new Error('no space left') })
  await expect(saveFile(...FILE)).rejects.toThrow('no space left')
})

test('a picture is shared byte by byte', async () => {
  const phone = startNativePhone(WRITTEN)
  const { saveFile } = await import('./save-file.ts')
  const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff])
  await saveFile('flyer.png', new Blob([bytes]), 'image/png')
  const [written] = phone.calledWith('Filesystem.writeFile')
  expect(written).toMatchObject({ path: 'flyer.png', data: 'iVBOR/8=' })
  expect(written).not.toHaveProperty('encoding')
})
