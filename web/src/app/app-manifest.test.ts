import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { APP_MANIFEST } from '../../app-manifest.ts'

const PUBLIC = join(import.meta.dirname, '../../public')
const PNG_SIGNATURE = '89504e470d0a1a0a'

/** The size, as the picture itself says. */
function readPng(path: string) {
  const bytes = readFileSync(join(PUBLIC, path))
  expect(bytes.subarray(0, 8).toString('hex')).toBe(PNG_SIGNATURE)
  return { size: `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}` }
}

const icons = APP_MANIFEST.icons as { src: string; sizes: string; purpose: string }[]

test('the app can be installed: a name, a start, a display of its own', () => {
  expect(APP_MANIFEST).toMatchObject({
    id: '/',
    start_url: '/home',
    scope: '/',
    display: 'standalone',
  })
  expect(APP_MANIFEST.name).toBeTruthy()
})

test.each(icons)('$src is there in the size it says', ({ src, sizes }) => {
  expect(readPng(src).size).toBe(sizes)
})

test('there are icons to show as they are, to be cut, and in one colour', () => {
  const purposes = icons.map(({ purpose, sizes }) => `${purpose} ${sizes}`)
  expect(purposes).toEqual(['any 192x192', 'any 512x512', 'maskable 512x512', 'monochrome 512x512'])
})

test('what the page and the notifications name beside them is there too', () => {
  expect(readPng('icons/apple-180.png').size).toBe('180x180')
  expect(readPng('icons/monochrome-96.png').size).toBe('96x96')
})
