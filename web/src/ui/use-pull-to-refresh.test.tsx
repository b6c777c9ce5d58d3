import { act, fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { expect, test, vi } from 'vitest'
import { usePullToRefresh } from './use-pull-to-refresh.ts'

function List({ refresh }: { refresh: () => Promise<unknown> }) {
  const inside = useRef<HTMLParagraphElement>(null)
  const pull = usePullToRefresh(inside, refresh)
  return (
    <div data-testid="list" style={{ overflowY: 'auto' }}>
      <p ref={inside}>{pull.state}</p>
    </div>
  )
}

const at = (clientX: number, clientY: number) => ({ touches: [{ clientX, clientY }] })

function pullBy(down: number, across = 0) {
  const list = screen.getByTestId('list')
  fireEvent.touchStart(list, at(100, 100))
  const kept = fireEvent.touchMove(list, at(100 + across, 100 + down))
  fireEvent.touchEnd(list, { touches: [] })
  return { wasPrevented: !kept }
}

function anOpenPromise() {
  let resolve = () => {}
  let reject = (_: Error) => {}
  const promise = new Promise<void>((settle, refuse) => ([resolve, reject] = [settle, refuse]))
  return { promise, resolve, reject }
}

function aList() {
  const done = anOpenPromise()
  const refresh = vi.fn(() => done.promise)
  render(<List refresh={refresh} />)
  return { refresh, done }
}

test('a long pull at the top refreshes, and settles when the response arrives', async () => {
  const { refresh, done } = aList()
  expect(pullBy(160).wasPrevented).toBe(true)
  expect(refresh).toHaveBeenCalledOnce()
  expect(screen.getByText('refreshing')).toBeTruthy()
  pullBy(160)
  expect(refresh).toHaveBeenCalledOnce()
  await act(async () => {
    done.resolve()
    await done.promise
  })
  expect(screen.getByText('resting')).toBeTruthy()
})

test('a failed refresh settles as well', async () => {
  const { done } = aList()
  pullBy(160)
  await act(async () => {
    done.reject(new Error('offline'))
    await Promise.allSettled([done.promise])
  })
  expect(screen.getByText('resting')).toBeTruthy()
})

test.each([
  ['a short pull', () => pullBy(40)],
  ['a swipe to the side', () => pullBy(160, 200)],
  ['a push upwards', () => pullBy(-160)],
])('%s does not refresh', (_, gesture) => {
  const { refresh } = aList()
  gesture()
  expect(refresh).not.toHaveBeenCalled()
  expect(screen.getByText('resting')).toBeTruthy()
})

test('away from the top, a pull scrolls', () => {
  const { refresh } = aList()
  screen.getByTestId('list').scrollTop = 200
  expect(pullBy(160).wasPrevented).toBe(false)
  expect(refresh).not.toHaveBeenCalled()
})
