import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BLOCK_BYTES, FIELDS, headerChecksum } from './tar-header.ts'
import { readBody, readTar } from './tar-reader.ts'
import { createTarWriter } from './tar-writer.ts'

const contents: [string, Buffer][] = [
  ['empty', Buffer.alloc(0)],
  ['data/public.chats/000001.gz', randomBytes(511)],
  ['a-block', randomBytes(512)],
  ['files/large', randomBytes(300_000)],
]

async function aTar(): Promise<Buffer> {
  const written: Buffer[] = []
  const tar = createTarWriter({ write: async (bytes) => void written.push(Buffer.from(bytes)) })
  for (const [name, content] of contents) await tar.add(name, content)
  await tar.finish()
  return Buffer.concat(written)
}

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(bytes: Buffer, size = 1000) {
  const found: [string, string][] = []
  for await (const entry of readTar(inPieces(bytes, size)))
    found.push([entry.name, (await readBody(entry, 1_000_000)).toString('base64')])
  return found
}

const asText = (entries: [string, Buffer][]) =>
  entries.map(([name, content]) => [name, content.toString('base64')])

test.each([1, 511, 512, 100_000_000])(
  'what was written is read, in pieces of %i bytes',
  async (size) => {
    expect(await read(await aTar(), size)).toEqual(asText(contents))
  },
)

test('an entry that nobody reads is skipped', async () => {
  const names: string[] = []
  for await (const { name } of readTar(inPieces(await aTar(), 1000))) names.push(name)
  expect(names).toEqual(contents.map(([name]) => name))
})

test('any tar opens it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tar-'))
  await writeFile(join(folder, 'all.tar'), await aTar())
  execFileSync('tar', ['xf', 'all.tar'], { cwd: folder })
  for (const [name, content] of contents)
    expect((await readFile(join(folder, name))).equals(content)).toBe(true)
  await rm(folder, { recursive: true })
})

test('a body that is too short is filled up and reported, and one that is too long is cut', async () => {
  const written: Buffer[] = []
  const tar = createTarWriter({ write: async (bytes) => void written.push(Buffer.from(bytes)) })
  expect(await tar.addStream('short', 1000, inPieces(Buffer.alloc(10, 1), 4))).toBe(10)
  expect(await tar.addStream('long', 5, inPieces(Buffer.alloc(10, 2), 4))).toBe(5)
  await tar.finish()
  expect(await read(Buffer.concat(written))).toEqual(
    asText([
      ['short', Buffer.concat([Buffer.alloc(10, 1), Buffer.alloc(990)])],
      ['long', Buffer.alloc(5, 2)],
    ]),
  )
})

test('a tar that was cut off, or whose header was changed, is refused', async () => {
  const tar = await aTar()
  for (const length of [100, 512, 600, 1500, 200_000])
    await expect(read(tar.subarray(0, length))).rejects.toThrow('ends in the middle')
  const changed = Buffer.from(tar)
  changed[3] = 0x7a
  await expect(read(changed)).rejects.toThrow('damaged header')
})

test.each(['-0000000001', '0x000000010', '99999999999'])(
  'a size of "%s" is refused',
  async (size) => {
    const bytes = await aTar()
    bytes.write(size, FIELDS.size[0], 'latin1')
    const block = bytes.subarray(0, BLOCK_BYTES)
    const checksum = headerChecksum(block).toString(8).padStart(7, '0')
    block.write(checksum, FIELDS.checksum[0], 'latin1')
    await expect(read(bytes)).rejects.toThrow('an entry has a damaged header')
  },
)
