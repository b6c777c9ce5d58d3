// @vitest-environment node
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { APP_MANIFEST } from '../../../app-manifest.ts'

const PUBLIC = join(import.meta.dirname, '../../../public')
const PNG_SIGNATURE = '89504e470d0a1a0a'

/** The dimensions stored in the image file. */
function readPng(path: string) {
  const bytes = readFileSync(join(PUBLIC, path))
  expect(bytes.subarray(0, 8).toString('hex')).toBe(PNG_SIGNATURE)
  return { size: `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}` }
}

const icons = APP_MANIFEST.icons as { src: string; sizes: string; purpose: string }[]

test('the app can be installed: a name, a start, its own display mode', () => {
  expect(APP_MANIFEST).toMatchObject({
    id: '/',
    start_url: '/home',
    scope: '/',
    display: 'standalone',
  })
  expect(APP_MANIFEST.name).toBeTruthy()
})

test.each(icons)('$src exists in the declared size', ({ src, sizes }) => {
  expect(readPng(src).size).toBe(sizes)
})

test('there are icons for any purpose, maskable and monochrome', () => {
  const purposes = icons.map(({ purpose, sizes }) => `${purpose} ${sizes}`)
  expect(purposes).toEqual(['any 192x192', 'any 512x512', 'maskable 512x512', 'monochrome 512x512'])
})

test('other icons that the page and notifications use exist too', () => {
  expect(readPng('icons/apple-180.png').size).toBe('180x180')
  expect(readPng('icons/monochrome-96.png').size).toBe('96x96')
})
