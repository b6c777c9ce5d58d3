import { renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useErrorAlert } from './use-error-alert.ts'

type Load = { data: unknown; error: unknown }

const loading: Load = { data: undefined, error: null }

function alertsDuring(...loads: Load[]): unknown[] {
  const alert = vi.spyOn(window, 'alert').mockReturnValue()
  const { rerender } = renderHook((load: Load) => useErrorAlert('Error loading content', load), {
    initialProps: loading,
  })
  for (const load of loads) rerender(load)
  const texts = alert.mock.calls.map(([text]) => text as unknown)
  alert.mockRestore()
  return texts
}

const failed = () => ({ data: undefined, error: new Error('the disk is full') })
const loaded = { data: [], error: null }

test('retries that fail for the same reason are alerted once', () => {
  expect(alertsDuring(failed(), loading, failed())).toEqual([
    'Error loading content: the disk is full',
  ])
})

test('a different reason is alerted, and the same one again after a success', () => {
  const other = { data: undefined, error: new Error('no connection') }
  expect(alertsDuring(failed(), other, loaded, failed())).toEqual([
    'Error loading content: the disk is full',
    'Error loading content: no connection',
    'Error loading content: the disk is full',
  ])
})

test('a screen that has data ignores a failed refetch', () => {
  expect(alertsDuring(loaded, { data: [], error: new Error('no connection') })).toEqual([])
})
