import { createCipheriv, randomBytes } from 'node:crypto'
import type { ByteSink } from './byte-sink.ts'
import {
  CHUNK_BYTES,
  CIPHER,
  deriveKey,
  MAGIC,
  nonceOf,
  SALT_BYTES,
  SCRYPT,
  type Seal,
} from './sealed-format.ts'

export type SealingSink = ByteSink & {
  /** Writes the last chunk. */
  finish(): Promise<void>
}

/** Encrypts what is written to it, see sealed-format.ts. */
export async function createSealingSink(sink: ByteSink, passphrase: string): Promise<SealingSink> {
  const salt = randomBytes(SALT_BYTES).toString('base64')
  const seal: Seal = { salt, ...SCRYPT, chunkBytes: CHUNK_BYTES }
  const key = await deriveKey(passphrase, seal)
  const header = Buffer.from(`${MAGIC}${JSON.stringify(seal)}\n`)
  const chunk = Buffer.alloc(CHUNK_BYTES)
  let filled = 0
  let count = 0
  await sink.write(header)

  async function writeChunk(isLast: boolean) {
    const cipher = createCipheriv(CIPHER, key, nonceOf(count++, isLast))
    cipher.setAAD(header)
    const body = cipher.update(chunk.subarray(0, filled))
    cipher.final()
    filled = 0
    await sink.write(body)
    await sink.write(cipher.getAuthTag())
  }

  return {
    async write(bytes) {
      for (let at = 0; at < bytes.length;) {
        // Only when more follows: the last chunk is marked as such.
        if (filled === CHUNK_BYTES) await writeChunk(false)
        const copied = bytes.copy(chunk, filled, at)
        filled += copied
        at += copied
      }
    },
    finish: () => writeChunk(true),
  }
}
