import 'fake-indexeddb/auto'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { fakeBackend } from '../../../../testing/fake-backend.ts'
import { useJump } from './use-jump.ts'

test('a linked message of a thread that cannot be loaded is not jumped to', async () => {
  const said = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  fakeBackend({ 'GET /rest/v1/chat_messages': { status: 403, body: { message: 'No' } } })
  const client = new QueryClient()
  const { result } = renderHook(() => useJump('chat', 'message'), {
    wrapper: ({ children }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  })
  await vi.waitFor(() =>
    expect(said).toHaveBeenCalledWith('Could not open the linked message', expect.anything()),
  )
  expect(result.current).toMatchObject({ target: null, highlightedId: null })
})
