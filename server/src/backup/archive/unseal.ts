import { createDecipheriv } from 'node:crypto'
import * as v from 'valibot'
import type { ByteSource } from './byte-sink.ts'
import { ArchiveDamagedError, BackupError } from './errors.ts'
import { CIPHER, deriveKey, MAGIC, nonceOf, sealSchema, TAG_BYTES } from './sealed-format.ts'

const MAX_HEADER_BYTES = 4096
const NEWLINE = 0x0a

/**
 * The archive inside `source`. With a passphrase it must be sealed: anybody with access to the backups could have made an unsealed
 * one.
 * @throws BackupError if the passphrase is missing or wrong, or the archive should be sealed and is not; ArchiveDamagedError if it is
 * damaged
 */
export async function* unseal(
  source: ByteSource,
  passphrase: string | undefined,
): AsyncGenerator<Buffer> {
  const input = source[Symbol.asyncIterator]()
  try {
    let rest = await atLeast(input, Buffer.alloc(0), MAGIC.length)
    if (rest.toString('latin1', 0, MAGIC.length) !== MAGIC) {
      if (passphrase)
        throw new BackupError(
          'This backup is not encrypted, but BACKUP_PASSPHRASE is set: anybody could have made it. If you know that it is yours, ' +
            'unset BACKUP_PASSPHRASE for this command.',
        )
      yield rest
      for (;;) {
        const { done, value } = await input.next()
        if (done) return
        yield value
      }
    }
    if (!passphrase)
      throw new BackupError(
        'This backup is encrypted: set BACKUP_PASSPHRASE to the passphrase it was made with.',
      )
    const { header, body } = await readHeader(input, rest)
    rest = body
    const seal = parseSeal(header)
    const key = await deriveKey(passphrase, seal)
    const whole = seal.chunkBytes + TAG_BYTES
    for (let count = 0; ; count++) {
      // One byte more than a chunk tells whether it is the last.
      rest = await atLeast(input, rest, whole + 1)
      const isLast = rest.length <= whole
      const sealed = rest.subarray(0, whole)
      rest = rest.subarray(sealed.length)
      yield open(sealed, { key, header, count, isLast })
      if (isLast) return
    }
  } finally {
    await input.return?.()
  }
}

type Chunk = { key: Buffer; header: Buffer; count: number; isLast: boolean }

function open(sealed: Buffer, { key, header, count, isLast }: Chunk): Buffer {
  if (sealed.length < TAG_BYTES) throw new ArchiveDamagedError('it ends in the middle')
  const decipher = createDecipheriv(CIPHER, key, nonceOf(count, isLast))
  decipher.setAAD(header)
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  const plain = decipher.update(sealed.subarray(0, -TAG_BYTES))
  try {
    decipher.final()
    return plain
  } catch {
    if (count > 0) throw new ArchiveDamagedError('it was cut off or changed')
    throw new BackupError(
      'The passphrase is not the one of this backup, or its beginning is damaged.',
    )
  }
}

function parseSeal(header: Buffer) {
  try {
    return v.parse(sealSchema, JSON.parse(header.toString('utf8', MAGIC.length)))
  } catch {
    throw new ArchiveDamagedError('its header cannot be read')
  }
}

async function readHeader(input: AsyncIterator<Buffer, void>, start: Buffer) {
  const rest = await atLeast(input, start, MAX_HEADER_BYTES)
  const end = rest.indexOf(NEWLINE, MAGIC.length)
  if (end < 0 || end > MAX_HEADER_BYTES) throw new ArchiveDamagedError('its header cannot be read')
  return { header: rest.subarray(0, end + 1), body: rest.subarray(end + 1) }
}

/** `rest` with enough appended, or with all that there is. */
async function atLeast(
  input: AsyncIterator<Buffer, void>,
  rest: Buffer,
  count: number,
): Promise<Buffer> {
  if (rest.length >= count) return rest
  const parts = [rest]
  for (let length = rest.length; length < count;) {
    const { done, value } = await input.next()
    if (done) break
    parts.push(value)
    length += value.length
  }
  return Buffer.concat(parts)
}
