import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startS3Service, type S3Service } from 'backend/testing/s3-service.ts'
import { removeOldest } from '../keep-newest.ts'
import type { Place } from './place.ts'
import { createS3Place } from './s3-place.ts'

const NAME = 'backup-20260301T030000Z-7f3a91c2.tar'
const MEBIBYTE = 1024 * 1024

let service: S3Service
let place: Place
beforeAll(async () => {
  service = await startS3Service()
  place = createS3Place({ ...service.settings, prefix: 'team/nightly/' })
})
afterAll(() => service?.close())
beforeEach(() => {
  service.objects.clear()
  service.uploads.clear()
  service.fail(0)
})

async function keep(name: string, bytes: Buffer) {
  const draft = await place.create(name)
  for (let at = 0; at < bytes.length; at += 700_001)
    await draft.write(bytes.subarray(at, at + 700_001))
  await draft.finish()
}

test.each([0, 1, 16 * MEBIBYTE, 35 * MEBIBYTE])(
  'a backup of %i bytes comes back as it was kept',
  async (size) => {
    const bytes = randomBytes(size)
    await keep(NAME, bytes)
    expect([...service.objects.keys()]).toEqual([`team/nightly/${NAME}`])
    expect((await buffer(place.open(NAME))).equals(bytes)).toBe(true)
    expect(service.refused).toEqual([])
  },
)

test('a backup that is given up leaves nothing, not even parts', async () => {
  const draft = await place.create(NAME)
  await draft.write(randomBytes(20 * MEBIBYTE))
  expect(await place.list()).toEqual([])
  await draft.discard()
  expect([service.objects.size, service.uploads.size]).toEqual([0, 0])
})

test('the oldest are removed and the newest kept, whatever else is there', async () => {
  const names = [1, 2, 3, 4, 5].map((day) => `backup-2026030${day}T030000Z-7f3a91c2.tar`)
  for (const name of names) await keep(name, Buffer.from(name))
  service.objects.set('team/nightly/notes.txt', Buffer.from('x'))
  service.objects.set('team/backup-20200101T030000Z-7f3a91c2.tar', Buffer.from('elsewhere'))
  expect(await place.list()).toEqual(names)
  // Set back, a clock names the newest backup as if it were the oldest.
  await removeOldest(place, 3, names[0] ?? '')
  expect(await place.list()).toEqual([names[0], names[3], names[4]])
  expect(service.objects.size).toBe(5)
})

test('a store that fails for a moment is asked again', async () => {
  service.fail(2)
  await keep(NAME, Buffer.from('kept at last'))
  expect((await buffer(place.open(NAME))).toString()).toBe('kept at last')
})

test('a store that refuses is one clear sentence, at once', async () => {
  const refused = createS3Place({ ...service.settings, secretAccessKey: 'wrong', prefix: '' })
  await expect(refused.create(NAME)).rejects.toThrow(
    `The store of backups at ${service.settings.endpoint} responded with 403 SignatureDoesNotMatch.`,
  )
  service.refused.length = 0
})

test('a backup that is not there is one clear sentence', async () => {
  await expect(buffer(place.open(NAME))).rejects.toThrow(
    `There is no backup s3://team/team/nightly/${NAME}.`,
  )
})

test('a person who stops the command does not wait for the store', async () => {
  const stopping = new AbortController()
  const settings = { ...service.settings, prefix: '', signal: stopping.signal }
  const draft = await createS3Place(settings).create(NAME)
  service.fail(100)
  const writing = draft.write(randomBytes(17 * MEBIBYTE))
  setTimeout(() => stopping.abort(new Error('stopped')), 200)
  await expect(writing).rejects.toThrow()
  service.fail(0)
  await draft.discard()
  expect(service.uploads.size).toBe(0)
})
