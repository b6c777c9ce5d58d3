import { expect, type Page } from '@playwright/test'
import { aChat, openThread } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { pageOf } from './support/sign-in.ts'

const PLACE = 'GPS 52.5200 N 13.4050 E'

/** A photo of 40 by 20 pixels, taken with the camera on its side, that says where. */
async function aPhoto(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 40, height: 20 })
    canvas.getContext('2d')?.fillRect(0, 0, 40, 20)
    return canvas.toDataURL('image/jpeg').split(',')[1] ?? ''
  })
  const jpeg = Buffer.from(base64, 'base64')
  // One entry: orientation (0x0112) 6, "turn right"; then the place.
  const tiff = Buffer.from('4d4d002a000000080001011200030000000100060000' + '00000000', 'hex')
  const exif = Buffer.concat([Buffer.from('Exif\0\0'), tiff, Buffer.from(PLACE)])
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, exif.length + 2]), exif])
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)])
}

test('a photo reaches the chat upright and without the place it was taken at', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember(), aMember()])
  const { id } = await aChat(ana, [ben])
  const page = await pageOf(browser, ana)
  await openThread(page, id)
  const photo = await aPhoto(page)
  expect(photo.includes(PLACE)).toBe(true)
  await page
    .getByLabel('Photos', { exact: true })
    .setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: photo })
  await expect(page.getByRole('button', { name: 'Remove photo.jpg' })).toBeVisible()
  await page.getByRole('button', { name: 'Send' }).click()
  async function attachment() {
    const { data } = await ben.client
      .from('chat_messages')
      .select('attachment')
      .eq('chat_id', id)
      .not('attachment', 'is', null)
      .maybeSingle<{ attachment: { path: string; width: number; height: number } }>()
    return data?.attachment
  }
  await expect.poll(attachment).toMatchObject({ width: 20, height: 40 })
  const { data } = await ben.client.storage
    .from('chat-images')
    .download((await attachment())?.path ?? '')
  const stored = Buffer.from(await data!.arrayBuffer())
  expect(stored.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
  expect(stored.includes(PLACE)).toBe(false)
  expect(stored.includes('Exif')).toBe(false)
})

test('what the browser cannot read, and pictures that can hold scripts, are refused in clear words', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember(), aMember()])
  const { id } = await aChat(ana, [ben])
  const page = await pageOf(browser, ana)
  await openThread(page, id)
  const attach = (name: string, mimeType: string) =>
    page
      .getByLabel('Photos', { exact: true })
      .setInputFiles({ name, mimeType, buffer: Buffer.from('<svg xmlns="x"/>') })
  const alerts: string[] = []
  page.on('dialog', (dialog) => void (alerts.push(dialog.message()), dialog.accept()))
  await attach('photo.heic', 'image/heic')
  await expect(page.getByRole('alert')).toContainText('Choose a JPEG or PNG')
  await attach('drawing.svg', 'image/svg+xml')
  await expect(page.getByRole('alert')).toContainText("SVG files can't be uploaded")
  expect(alerts).toEqual([])
})
