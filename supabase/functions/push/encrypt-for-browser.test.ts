import { expect, test } from 'vitest'
import { decryptPush, makeBrowserKeys } from '../../tests/push-browser.ts'
import { encryptForBrowser, MAX_PLAIN_BYTES } from './encrypt-for-browser.ts'

test('the browser that subscribed can read it', async () => {
  const keys = makeBrowserKeys()
  const text = JSON.stringify({ title: 'Büro ☕', body: 'x'.repeat(500) })
  expect(decryptPush(Buffer.from(await encryptForBrowser(text, keys)), keys)).toBe(text)
})

test('nobody else can, and equal texts encrypt differently', async () => {
  const keys = makeBrowserKeys()
  const [one, two] = [
    await encryptForBrowser('hello', keys),
    await encryptForBrowser('hello', keys),
  ]
  expect(Buffer.from(one).equals(Buffer.from(two))).toBe(false)
  expect(() => decryptPush(Buffer.from(one), makeBrowserKeys())).toThrow()
  expect(() => decryptPush(Buffer.from(one), { ...keys, auth: makeBrowserKeys().auth })).toThrow()
})

test('the longest text fits the 4,096 bytes of a push service, a longer one is refused', async () => {
  const keys = makeBrowserKeys()
  const longest = 'x'.repeat(MAX_PLAIN_BYTES)
  const sealed = await encryptForBrowser(longest, keys)
  expect(sealed.length).toBeLessThanOrEqual(4096)
  expect(decryptPush(Buffer.from(sealed), keys)).toBe(longest)
  await expect(encryptForBrowser(longest + 'x', keys)).rejects.toThrow('too long')
})

test('invalid keys are an error', async () => {
  const keys = makeBrowserKeys()
  await expect(encryptForBrowser('x', { ...keys, p256dh: 'AAAA' })).rejects.toThrow()
})
