import { renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useSingleRun } from './use-single-run.ts'

test('pressed twice, it runs once, and both get its result', async () => {
  const task = vi.fn((text: string) => Promise.resolve(`did ${text}`))
  const { result } = renderHook(() => useSingleRun(task))
  const results = await Promise.all([result.current('this'), result.current('this')])
  expect(results).toEqual(['did this', 'did this'])
  expect(task).toHaveBeenCalledTimes(1)
})

test('something else runs at the same time, and the same again afterwards', async () => {
  const task = vi.fn((text: string) => Promise.resolve(text))
  const { result } = renderHook(() => useSingleRun(task))
  await Promise.all([result.current('this'), result.current('that')])
  await result.current('this')
  expect(task.mock.calls).toEqual([['this'], ['that'], ['this']])
})

test('what failed can be tried again', async () => {
  const task = vi.fn<() => Promise<string>>()
  task.mockRejectedValueOnce(new Error('offline')).mockResolvedValue('done')
  const { result } = renderHook(() => useSingleRun(task))
  await expect(result.current(undefined)).rejects.toThrow('offline')
  expect(await result.current(undefined)).toBe('done')
})
