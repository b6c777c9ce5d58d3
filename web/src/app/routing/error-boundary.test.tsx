import { render, screen } from '@testing-library/react'
import { Suspense, type ComponentType } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { ErrorBoundary } from './error-boundary.tsx'
import { lazyScreen } from './lazy-screen.ts'

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))

const Home = () => <h1>Home</h1>
const Training = () => <h1>Training</h1>

test('a screen whose code did not load is left by going back, and tried again when it is next opened', async () => {
  const load = vi.fn<() => Promise<ComponentType>>()
  load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
  load.mockResolvedValue(Training)
  const Screen = lazyScreen(load)
  const at = (path: string) => (
    <ErrorBoundary path={path}>
      <Suspense>{path === '/training' ? <Screen /> : <Home />}</Suspense>
    </ErrorBoundary>
  )
  const { rerender } = render(at('/training'))
  expect(await screen.findByText('The server did not answer.')).toBeTruthy()
  rerender(at('/training'))
  expect(screen.getByText('The server did not answer.')).toBeTruthy()
  expect(load).toHaveBeenCalledTimes(1)
  rerender(at('/home'))
  expect(screen.getByRole('heading', { name: 'Home' })).toBeTruthy()
  rerender(at('/training'))
  expect(await screen.findByRole('heading', { name: 'Training' })).toBeTruthy()
})
