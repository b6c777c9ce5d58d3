import { renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { aBrowser, PUSH_BACKEND } from '../../../testing/a-browser-with-push.ts'
import { fakeBackend, signedIn } from '../../../testing/fake-backend.ts'
import { useBrowserPush } from './use-browser-push.ts'

afterEach(() => void vi.unstubAllGlobals())

test('after signing in again, as for a new password, push goes on in this browser', async () => {
  localStorage.setItem('push-on:maya', 'yes')
  aBrowser({ permission: 'granted', isSubscribed: true })
  const asked = fakeBackend(PUSH_BACKEND)
  await signedIn()
  const registrations = () => asked.filter(({ path }) => path.endsWith('/register_push_device'))
  const { rerender, unmount } = renderHook(({ session }) => useBrowserPush('maya', session), {
    initialProps: { session: 'one' },
  })
  await vi.waitFor(() => expect(registrations()).toHaveLength(1))
  rerender({ session: 'one' })
  rerender({ session: 'two' })
  await vi.waitFor(() => expect(registrations()).toHaveLength(2))
  unmount()
})
