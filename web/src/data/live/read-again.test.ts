// @vitest-environment node
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { readAgain } from './read-again.ts'

test('a change that arrives during the first read is read', async () => {
  const client = new QueryClient()
  const resolvers: ((data: string) => void)[] = []
  const queryFn = () => new Promise<string>((resolve) => resolvers.push(resolve))
  const observer = new QueryObserver(client, { queryKey: ['seen', 'message'], queryFn })
  const stop = observer.subscribe(() => {})
  expect(resolvers).toHaveLength(1)
  readAgain(client, { queryKey: ['seen'] })
  readAgain(client, { queryKey: ['seen'] })
  resolvers[0]?.('before the change')
  await vi.waitFor(() => expect(resolvers).toHaveLength(2))
  resolvers[1]?.('after it')
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('after it'))
  expect(resolvers).toHaveLength(2)
  stop()
})

test('data that is there is read again once', async () => {
  const client = new QueryClient()
  const queryFn = vi.fn(() => Promise.resolve('now'))
  const observer = new QueryObserver(client, {
    queryKey: ['seen'],
    queryFn,
    initialData: 'then',
    staleTime: Infinity,
  })
  const stop = observer.subscribe(() => {})
  readAgain(client, { queryKey: ['seen'] })
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('now'))
  expect(queryFn).toHaveBeenCalledTimes(1)
  stop()
})
