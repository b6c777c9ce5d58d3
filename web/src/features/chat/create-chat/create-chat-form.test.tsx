import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { connectSupabase } from '#lib/supabase-connection.ts'
import { drawScreen } from '../../../../testing/draw-screen.tsx'
import { aSession, fakeBackend } from '../../../../testing/fake-backend.ts'
import { CreateChatForm } from './create-chat-form.tsx'

const alerts = vi.fn()

beforeEach(() => {
  alerts.mockClear()
  vi.stubGlobal('alert', alerts)
})

test('the button is off while something is missing, and says what when it is pressed all the same', () => {
  fakeBackend({ 'POST /rest/v1/rpc/': { body: [] }, 'GET /rest/v1/': { body: [] } })
  localStorage.setItem('member-session', JSON.stringify(aSession()))
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'key' })
  drawScreen({ path: '/chat/create', screen: <CreateChatForm /> })
  const button = screen.getByRole('button', { name: 'Send & Create Chat' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  fireEvent.click(button)
  expect(alerts).toHaveBeenCalledExactlyOnceWith('Please select at least one team member')
})
