// A sealed archive, for whoever has to open one without this program:
//
//   line 1   `sealed-backup 1`
//   line 2   JSON: salt (base64), N, r and p of scrypt, chunkBytes
//   then     chunks of chunkBytes, the last one shorter or empty, each encrypted by AES-256-GCM and followed by its 16-byte tag
//
// The key is scrypt(passphrase in UTF-8 NFC, salt). Every file has a salt of its own, so a nonce is the chunk's number: eight bytes,
// big-endian, then three zeros and a 1 for the last chunk, a 0 for the others. Lines 1 and 2 are the additional data of every
// chunk. So a chunk that was changed, moved, repeated or dropped fails, and so does a file that was cut off between two.
import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import * as v from 'valibot'

export const MAGIC = 'sealed-backup 1\n'
export const CIPHER = 'aes-256-gcm'
export const TAG_BYTES = 16
export const CHUNK_BYTES = 1024 * 1024
export const SALT_BYTES = 16

const KEY_BYTES = 32
const NONCE_BYTES = 12
/** A header asks for memory before anything of it is known to be genuine. */
const MAX_COST = 2 ** 20

/** 64 MiB and a fifth of a second for each guess of a passphrase. */
export const SCRYPT = { N: 2 ** 16, r: 8, p: 1 }

export const sealSchema = v.object({
  salt: v.pipe(v.string(), v.base64()),
  N: v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(MAX_COST)),
  r: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(16)),
  p: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(16)),
  chunkBytes: v.pipe(v.number(), v.integer(), v.minValue(1024), v.maxValue(16 * CHUNK_BYTES)),
})
export type Seal = v.InferOutput<typeof sealSchema>

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)

export function deriveKey(passphrase: string, { salt, N, r, p }: Seal): Promise<Buffer> {
  const maxmem = 256 * N * r
  return derive(passphrase.normalize('NFC'), Buffer.from(salt, 'base64'), KEY_BYTES, {
    N,
    r,
    p,
    maxmem,
  })
}

export function nonceOf(chunk: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeBigUInt64BE(BigInt(chunk))
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0
  return nonce
}
