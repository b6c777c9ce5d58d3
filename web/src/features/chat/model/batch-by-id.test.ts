// @vitest-environment node
import { expect, test, vi } from 'vitest'
import { batchById } from './batch-by-id.ts'

const loadMany = vi.fn((ids: string[]) =>
  Promise.resolve(ids.filter((id) => id !== 'nobody').map((id) => ({ id }))),
)

test('rows requested together are loaded in one request, each once', async () => {
  const load = batchById(loadMany)
  await Promise.all([load('a'), load('b'), load('a')])
  expect(loadMany).toHaveBeenCalledExactlyOnceWith(['a', 'b'])
})

test('a later request is a new one', async () => {
  loadMany.mockClear()
  const load = batchById(loadMany)
  await load('a')
  await load('b')
  expect(loadMany).toHaveBeenCalledTimes(2)
})

test('a row that does not exist is null', async () => {
  expect(await batchById(loadMany)('nobody')).toBeNull()
})

test('a failed request rejects every caller in it', async () => {
  const load = batchById(() => Promise.reject(new Error('offline')))
  const outcomes = await Promise.allSettled([load('a'), load('b')])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
