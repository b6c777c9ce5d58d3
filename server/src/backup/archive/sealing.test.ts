import { createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { createSealingSink } from './seal.ts'
import { CHUNK_BYTES, TAG_BYTES } from './sealed-format.ts'
import { unseal } from './unseal.ts'

const PASSPHRASE = 'a long enough passphrase'
const CHUNK = CHUNK_BYTES + TAG_BYTES
const plain = randomBytes(3 * CHUNK_BYTES + 1000)
let sealed: Buffer
let body: number

async function seal(bytes: Buffer): Promise<Buffer> {
  const written: Buffer[] = []
  const sink = await createSealingSink(
    { write: async (chunk) => void written.push(Buffer.from(chunk)) },
    PASSPHRASE,
  )
  for (let at = 0; at < bytes.length; at += 70_001)
    await sink.write(bytes.subarray(at, at + 70_001))
  await sink.finish()
  return Buffer.concat(written)
}

async function* inPieces(bytes: Buffer, size = 65_536) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const open = (bytes: Buffer, passphrase: string | undefined = PASSPHRASE) =>
  buffer(unseal(inPieces(bytes), passphrase))

beforeAll(async () => {
  sealed = await seal(plain)
  body = sealed.indexOf('\n', sealed.indexOf('\n') + 1) + 1
})

test.each([0, 1, 1000, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 2 * CHUNK_BYTES])(
  '%i bytes come out as they went in',
  async (length) => {
    const bytes = plain.subarray(0, length)
    expect((await open(await seal(bytes))).equals(bytes)).toBe(true)
  },
)

test('the same bytes are sealed differently each time', async () => {
  const bytes = Buffer.from('the same')
  expect((await seal(bytes)).equals(await seal(bytes))).toBe(false)
})

test('what is not sealed passes through only where no passphrase is set', async () => {
  expect((await buffer(unseal(inPieces(plain), undefined))).equals(plain)).toBe(true)
  await expect(open(plain)).rejects.toThrow(
    'This backup is not encrypted, but BACKUP_PASSPHRASE is set',
  )
})

describe('a sealed archive is refused', () => {
  const damaged = 'it was cut off or changed'

  test('with a wrong passphrase, or with none', async () => {
    await expect(open(sealed, 'another passphrase')).rejects.toThrow(
      'The passphrase is not the one',
    )
    await expect(buffer(unseal(inPieces(sealed), undefined))).rejects.toThrow('is encrypted')
  })

  test('when it was cut off, in a chunk or between two', async () => {
    await expect(open(sealed.subarray(0, -1))).rejects.toThrow(damaged)
    await expect(open(sealed.subarray(0, body + 2 * CHUNK))).rejects.toThrow(damaged)
    await expect(open(sealed.subarray(0, body + 2 * CHUNK + 5))).rejects.toThrow('in the middle')
    await expect(open(sealed.subarray(0, body + CHUNK))).rejects.toThrow('The passphrase is not')
  })

  test('when chunks were exchanged, repeated, dropped or appended', async () => {
    const head = sealed.subarray(0, body)
    const chunks = [0, 1, 2, 3].map((index) =>
      sealed.subarray(body + index * CHUNK, body + (index + 1) * CHUNK),
    ) as [Buffer, Buffer, Buffer, Buffer]
    const [first, second, third, last] = chunks
    await expect(open(Buffer.concat([head, first, third, second, last]))).rejects.toThrow(damaged)
    await expect(open(Buffer.concat([head, first, second, second, third, last]))).rejects.toThrow(
      damaged,
    )
    await expect(open(Buffer.concat([head, first, third, last]))).rejects.toThrow(damaged)
    await expect(open(Buffer.concat([sealed, last]))).rejects.toThrow(damaged)
  })

  test.each([0.01, 0.3, 0.6, 0.999])('when one bit of it was changed (at %d)', async (where) => {
    const changed = Buffer.from(sealed)
    const at = Math.floor(body + CHUNK + where * (sealed.length - body - CHUNK - 1))
    changed[at] = (changed[at] ?? 0) ^ 1
    await expect(open(changed)).rejects.toThrow(damaged)
  })

  test('when its header was changed', async () => {
    const text = sealed.toString('latin1', 0, body)
    const other = (changed: string) =>
      Buffer.concat([Buffer.from(changed, 'latin1'), sealed.subarray(body)])
    await expect(open(other(text.replace('"p":1', '"p":2')))).rejects.toThrow(
      'The passphrase is not',
    )
    await expect(open(other(text.replace('"N":65536', '"N":9999999999')))).rejects.toThrow('header')
    await expect(open(other(text.replace('"r":8', '"r":8, ')))).rejects.toThrow('header')
  })
})

test('the documented format is enough to open it', () => {
  const [, line = ''] = sealed.toString('latin1', 0, body).split('\n')
  const { salt, N, r, p, chunkBytes } = JSON.parse(line) as Record<string, number> & {
    salt: string
  }
  const key = scryptSync(PASSPHRASE, Buffer.from(String(salt), 'base64'), 32, {
    N,
    r,
    p,
    maxmem: 128 * 1024 * 1024,
  })
  const opened: Buffer[] = []
  const size = Number(chunkBytes) + 16
  for (let at = body, chunk = 0; at < sealed.length; at += size, chunk++) {
    const part = sealed.subarray(at, at + size)
    const nonce = Buffer.alloc(12)
    nonce.writeUInt32BE(chunk, 4)
    nonce[11] = at + size >= sealed.length ? 1 : 0
    const decipher = createDecipheriv('aes-256-gcm', key, nonce)
    decipher.setAAD(sealed.subarray(0, body))
    decipher.setAuthTag(part.subarray(-16))
    opened.push(decipher.update(part.subarray(0, -16)), decipher.final())
  }
  expect(Buffer.concat(opened).equals(plain)).toBe(true)
})
