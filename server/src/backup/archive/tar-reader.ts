import type { ByteSource } from './byte-sink.ts'
import { ArchiveDamagedError } from './errors.ts'
import { BLOCK_BYTES, FIELDS, headerChecksum } from './tar-header.ts'

export type TarEntry = {
  name: string
  size: number
  /** Read it before asking for the next entry; what is left unread is skipped. */
  body: ByteSource
}

/** The entries of a tar, in order. @throws ArchiveDamagedError if it ends early or a header is wrong */
export async function* readTar(source: ByteSource): AsyncGenerator<TarEntry> {
  const input = createInput(source)
  try {
    for (;;) {
      const block = await input.exactly(BLOCK_BYTES)
      if (block.every((byte) => byte === 0)) return
      const { name, size } = parseHeader(block)
      let left = size
      const body = (async function* () {
        while (left > 0) {
          const chunk = await input.atMost(left)
          left -= chunk.length
          yield chunk
        }
      })()
      yield { name, size, body }
      while (left > 0) left -= (await input.atMost(left)).length
      await input.exactly(-size & (BLOCK_BYTES - 1))
    }
  } finally {
    await input.close()
  }
}

/** The whole body of an entry. @throws ArchiveDamagedError if it is larger than `maxBytes` */
export async function readBody({ name, size, body }: TarEntry, maxBytes: number): Promise<Buffer> {
  if (size > maxBytes) throw new ArchiveDamagedError(`${name} has an impossible size`)
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks, size)
}

function parseHeader(block: Buffer): { name: string; size: number } {
  const text = ([start, length]: readonly [number, number]) =>
    block.toString('utf8', start, start + length).replace(/\0.*$/s, '')
  const name = text(FIELDS.name)
  const digits = text(FIELDS.size).trim()
  const size = /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : NaN
  const checksum = Number.parseInt(text(FIELDS.checksum), 8)
  if (headerChecksum(block) !== checksum || !Number.isSafeInteger(size))
    throw new ArchiveDamagedError('an entry has a damaged header')
  return { name, size }
}

function createInput(source: ByteSource) {
  const chunks = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  async function atMost(count: number): Promise<Buffer> {
    while (rest.length === 0) {
      const { done, value } = await chunks.next()
      if (done) throw new ArchiveDamagedError('it ends in the middle')
      rest = value
    }
    const part = rest.subarray(0, count)
    rest = rest.subarray(part.length)
    return part
  }
  async function exactly(count: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let left = count; left > 0;) {
      const part = await atMost(left)
      parts.push(part)
      left -= part.length
    }
    return Buffer.concat(parts, count)
  }
  return { atMost, exactly, close: async () => void (await chunks.return?.()) }
}
