// The archive is a plain tar (POSIX ustar), so that any tar opens it.
import type { ByteSink } from './byte-sink.ts'
import { BLOCK_BYTES, FIELDS, headerChecksum } from './tar-header.ts'

export type TarWriter = {
  add(name: string, content: Buffer): Promise<void>
  /**
   * Adds an entry of exactly `size` bytes. What the body has too little is filled with zeros.
   * @returns how many bytes came from the body
   */
  addStream(name: string, size: number, body: AsyncIterable<Uint8Array>): Promise<number>
  /** Writes the end mark. */
  finish(): Promise<void>
}

const FILL_BYTES = 64 * 1024
const END_BLOCKS = 2

export function createTarWriter(sink: ByteSink, now = new Date()): TarWriter {
  const seconds = Math.floor(now.getTime() / 1000)

  async function addStream(name: string, size: number, body: AsyncIterable<Uint8Array>) {
    await sink.write(header(name, size, seconds))
    let came = 0
    for await (const chunk of body) {
      const kept = Buffer.from(chunk.buffer, chunk.byteOffset, Math.min(chunk.length, size - came))
      if (kept.length === 0) continue
      await sink.write(kept)
      came += kept.length
    }
    await zeros(size - came)
    await zeros(-size & (BLOCK_BYTES - 1))
    return came
  }

  async function zeros(count: number) {
    for (let left = count; left > 0; left -= FILL_BYTES)
      await sink.write(Buffer.alloc(Math.min(left, FILL_BYTES)))
  }

  return {
    addStream,
    async add(name, content) {
      await addStream(name, content.length, one(content))
    },
    finish: () => zeros(END_BLOCKS * BLOCK_BYTES),
  }
}

async function* one(content: Buffer) {
  yield content
}

function header(name: string, size: number, seconds: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES)
  const octal = (value: number, [start, length]: readonly [number, number]) =>
    block.write(value.toString(8).padStart(length - 1, '0'), start, 'latin1')
  if (Buffer.byteLength(name) > FIELDS.name[1]) throw new Error(`too long for a tar: ${name}`)
  block.write(name, 'utf8')
  octal(0o600, FIELDS.mode)
  octal(0, FIELDS.user)
  octal(0, FIELDS.group)
  octal(size, FIELDS.size)
  octal(seconds, FIELDS.time)
  block.write('0', FIELDS.type[0], 'latin1')
  block.write('ustar\u000000', FIELDS.magic[0], 'latin1')
  octal(headerChecksum(block), FIELDS.checksum)
  return block
}
