// Backups in a bucket of an S3 server that others wrote.
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  startIndependentS3Server,
  type IndependentS3Server,
} from 'backend/testing/independent-s3-server.ts'
import { removeOldest } from '../keep-newest.ts'
import type { Place } from './place.ts'
import { createS3Place } from './s3-place.ts'

const NAME = 'backup-20260301T030000Z-7f3a91c2.tar'
const MEBIBYTE = 1024 * 1024

let server: IndependentS3Server
let place: Place
beforeAll(async () => {
  server = await startIndependentS3Server()
  place = createS3Place({ ...server.settings, prefix: 'team/nightly/' })
})
afterAll(() => server?.close())
beforeEach(() => server.clear())

async function keep(name: string, bytes: Buffer) {
  const draft = await place.create(name)
  for (let at = 0; at < bytes.length; at += 700_001)
    await draft.write(bytes.subarray(at, at + 700_001))
  await draft.finish()
}

test.each([1, 16 * MEBIBYTE, 35 * MEBIBYTE])(
  'a backup of %i bytes comes back as it was kept',
  async (size) => {
    const bytes = randomBytes(size)
    await keep(NAME, bytes)
    expect(await server.keys()).toEqual([`team/nightly/${NAME}`])
    expect((await buffer(place.open(NAME))).equals(bytes)).toBe(true)
  },
)

test('a backup that is given up is not there', async () => {
  const draft = await place.create(NAME)
  await draft.write(randomBytes(20 * MEBIBYTE))
  expect(await place.list()).toEqual([])
  await draft.discard()
  expect(await server.keys()).toEqual([])
})

test('the oldest are removed and the newest kept, whatever else is there', async () => {
  const names = [1, 2, 3, 4, 5].map((day) => `backup-2026030${day}T030000Z-7f3a91c2.tar`)
  for (const name of names) await keep(name, Buffer.from(name))
  await server.put('team/nightly/notes.txt', 'x')
  await server.put('team/backup-20200101T030000Z-7f3a91c2.tar', 'elsewhere')
  expect(await place.list()).toEqual(names)
  await removeOldest(place, 3, names[0] ?? '')
  expect(await place.list()).toEqual([names[0], names[3], names[4]])
  expect(await server.keys()).toHaveLength(5)
})

test('a wrong secret, and a backup that is not there, are one clear sentence each', async () => {
  const refused = createS3Place({ ...server.settings, secretAccessKey: 'wrong', prefix: '' })
  await expect(refused.create(NAME)).rejects.toThrow(
    `The store of backups at ${server.settings.endpoint} responded with 403 SignatureDoesNotMatch.`,
  )
  await expect(buffer(place.open(NAME))).rejects.toThrow(
    `There is no backup s3://team/team/nightly/${NAME}.`,
  )
})
