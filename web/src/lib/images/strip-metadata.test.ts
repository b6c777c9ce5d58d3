import { expect, test } from 'vitest'
import { animatedType, stripMetadata } from './strip-metadata.ts'

const SECRET = 'GPS 52.5200 N 13.4050 E'
const ascii = (text: string) => [...Buffer.from(text, 'latin1')]
const bytesOf = (...parts: number[][]) => new Uint8Array(parts.flat())
const textOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer()).toString('latin1')

const big32 = (value: number) => [
  value >>> 24,
  (value >>> 16) & 255,
  (value >>> 8) & 255,
  value & 255,
]
const little32 = (value: number) => big32(value).reverse()

const pngChunk = (name: string, data: number[] = []) => [
  ...big32(data.length),
  ...ascii(name),
  ...data,
  ...[1, 2, 3, 4],
]
const aPng = (...chunks: number[][]) => bytesOf([0x89, ...ascii('PNG\r\n\x1a\n')], ...chunks)

const webpChunk = (name: string, data: number[]) => [
  ...ascii(name),
  ...little32(data.length),
  ...data,
  ...(data.length % 2 ? [0] : []),
]
function aWebp(...chunks: number[][]) {
  const body = [...ascii('WEBP'), ...chunks.flat()]
  return bytesOf(ascii('RIFF'), little32(body.length), body)
}

const subBlocks = (...blocks: number[][]) => [
  ...blocks.flatMap((each) => [each.length, ...each]),
  0,
]
const GIF_FRAME = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, ...subBlocks([0x4c, 1])]
const GIF_TIMING = [0x21, 0xf9, ...subBlocks([4, 10, 0, 0])]
const GIF_LOOP = [0x21, 0xff, ...subBlocks(ascii('NETSCAPE2.0'), [1, 0, 0])]
function aGif(...blocks: number[][]) {
  const screen = [...ascii('GIF89a'), 1, 0, 1, 0, 0x80, 0, 0, ...[0, 0, 0, 255, 255, 255]]
  return bytesOf(screen, ...blocks, [0x3b])
}

test('an animated PNG keeps its frames and loses its GPS position', async () => {
  const kept = [
    pngChunk('IHDR', [1]),
    pngChunk('acTL', [2]),
    pngChunk('IDAT', [3]),
    pngChunk('fdAT', [4]),
  ]
  const secrets = ['eXIf', 'tEXt', 'iTXt', 'zTXt', 'tIME', 'prVt'].map((name) =>
    pngChunk(name, ascii(SECRET)),
  )
  const image = aPng(...kept.slice(0, 2), ...secrets, ...kept.slice(2), pngChunk('IEND'))
  expect(animatedType(image)).toBe('image/png')
  const behindItsEnd = bytesOf([...image], ascii(SECRET))
  expect(await textOf(stripMetadata(behindItsEnd, 'image/png'))).toBe(
    Buffer.from(aPng(...kept, pngChunk('IEND'))).toString('latin1'),
  )
})

test('an animated WebP keeps its frames, loses its metadata and clears the metadata flags', async () => {
  const frames = [webpChunk('ANIM', [0, 0, 0, 0, 0, 0]), webpChunk('ANMF', [1, 2, 3])]
  const header = (flags: number) => webpChunk('VP8X', [flags, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  const image = aWebp(
    header(0x02 | 0x0c),
    ...frames,
    webpChunk('EXIF', ascii(SECRET)),
    webpChunk('XMP ', ascii(SECRET)),
    webpChunk('????', ascii(SECRET)),
  )
  expect(animatedType(image)).toBe('image/webp')
  expect(await textOf(stripMetadata(image, 'image/webp'))).toBe(
    Buffer.from(aWebp(header(0x02), ...frames)).toString('latin1'),
  )
})

test('a GIF keeps its frames, timing and loop and loses comments and XMP', async () => {
  const comment = [0x21, 0xfe, ...subBlocks(ascii(SECRET))]
  const xmp = [0x21, 0xff, ...subBlocks(ascii('XMP DataXMP'), ascii(SECRET))]
  const image = aGif(GIF_LOOP, comment, GIF_TIMING, GIF_FRAME, xmp, GIF_TIMING, GIF_FRAME)
  expect(animatedType(image)).toBe('image/gif')
  const behindItsEnd = bytesOf([...image], ascii(SECRET))
  expect(await textOf(stripMetadata(behindItsEnd, 'image/gif'))).toBe(
    Buffer.from(aGif(GIF_LOOP, GIF_TIMING, GIF_FRAME, GIF_TIMING, GIF_FRAME)).toString('latin1'),
  )
})

test('a still image has to be redrawn', () => {
  expect(animatedType(aPng(pngChunk('IHDR'), pngChunk('IDAT'), pngChunk('IEND')))).toBeNull()
  expect(animatedType(aWebp(webpChunk('VP8 ', [1])))).toBeNull()
  expect(animatedType(aWebp(webpChunk('VP8X', [0x08])))).toBeNull()
  expect(animatedType(bytesOf([0xff, 0xd8, 0xff, 0xe1], ascii(SECRET)))).toBeNull()
})

test.each([
  ['image/png', aPng(pngChunk('IHDR', [1]), pngChunk('acTL'), pngChunk('IDAT', [1, 2, 3]))],
  ['image/webp', aWebp(webpChunk('VP8X', [2, 0]), webpChunk('ANMF', [1, 2, 3, 4])).subarray(0, -2)],
  ['image/gif', aGif(GIF_TIMING, GIF_FRAME).subarray(0, -3)],
  ['image/gif', aGif([0x55])],
] as const)('a broken %s is refused, not sent as it is', (type, image) => {
  expect(() => stripMetadata(image, type)).toThrow(RangeError)
})
