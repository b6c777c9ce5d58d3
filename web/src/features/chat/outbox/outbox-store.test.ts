// @vitest-environment node
import 'fake-indexeddb/auto'
import { beforeEach, expect, test } from 'vitest'
import { anEntry } from './outbox-builders.ts'
import { openOutboxStore } from './outbox-store.ts'

let name = ''
beforeEach(() => {
  name = `outbox-${crypto.randomUUID()}`
})

test('messages are kept in the order written after the app is closed and reopened', async () => {
  const before = openOutboxStore(name)
  for (const id of ['c', 'a', 'b']) await before.add(anEntry({ id }))
  const after = await openOutboxStore(name).all('maya')
  expect(after.map(({ id }) => id)).toEqual(['c', 'a', 'b'])
})

test('two tabs share one order', async () => {
  const [left, right] = [openOutboxStore(name), openOutboxStore(name)]
  await left.add(anEntry({ id: '1' }))
  await right.add(anEntry({ id: '2' }))
  await left.add(anEntry({ id: '3' }))
  expect((await right.all('maya')).map(({ id }) => id)).toEqual(['1', '2', '3'])
})

test("another member on the same device never gets this member's messages", async () => {
  const store = openOutboxStore(name)
  await store.add(anEntry({ memberId: 'maya' }))
  expect(await store.all('theo')).toEqual([])
})

test('the same message cannot be added twice', async () => {
  const store = openOutboxStore(name)
  await store.add(anEntry({ id: 'same' }))
  await expect(store.add(anEntry({ id: 'same' }))).rejects.toThrow()
  expect(await store.all('maya')).toHaveLength(1)
})

test('a failed message keeps its place and its reason', async () => {
  const store = openOutboxStore(name)
  await store.add(anEntry({ id: '1' }))
  await store.add(anEntry({ id: '2' }))
  await store.setState('1', { step: 'failed', reason: 'No' })
  expect((await store.all('maya')).map(({ id, state }) => [id, state])).toEqual([
    ['1', { step: 'failed', reason: 'No' }],
    ['2', { step: 'waiting' }],
  ])
})

test('an image is stored with its message', async () => {
  const store = openOutboxStore(name)
  const image = {
    file: new Blob(['picture'], { type: 'image/png' }),
    attachment: { path: 'chat/1.png', width: 10, height: 20 },
  }
  await store.add(anEntry({ image }))
  const [entry] = await store.all('maya')
  expect(entry?.image?.attachment).toEqual(image.attachment)
})

test('a removed message is gone, and removing it again does nothing', async () => {
  const store = openOutboxStore(name)
  await store.add(anEntry({ id: '1' }))
  await store.remove('1')
  await store.remove('1')
  expect(await store.all('maya')).toEqual([])
})
