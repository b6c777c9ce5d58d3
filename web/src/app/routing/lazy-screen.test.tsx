import { act, fireEvent, render } from '@testing-library/react'
import { Suspense, useState } from 'react'
import { expect, test } from 'vitest'
import { Button } from '#ui/button.tsx'
import { lazyScreen } from './lazy-screen.ts'

/** A screen that counts presses. */
function Counter() {
  const [count, setCount] = useState(0)
  return <Button onClick={() => setCount(count + 1)}>{count} presses</Button>
}

test('a screen whose code was loaded ahead is drawn at once, together with the frame around it', async () => {
  const Screen = lazyScreen(() => Promise.resolve(Counter))
  await Screen.preload('/')
  const { container } = render(<Suspense fallback="Loading" children={<Screen />} />)
  expect(container.textContent).toBe('0 presses')
})

test('a screen that was opened before its code was there keeps what it holds when the code is loaded again', async () => {
  const Screen = lazyScreen(() => Promise.resolve(Counter))
  const screen = <Suspense fallback="Loading" children={<Screen />} />
  const { container, rerender, findByText } = render(screen)
  expect(container.textContent).toBe('Loading')
  fireEvent.click(await findByText('0 presses'))
  await act(() => Screen.preload('/'))
  rerender(screen)
  expect(container.textContent).toBe('1 presses')
})
