import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { aMember, aMessage } from '#features/chat/chat-builders.ts'
import type { Chat } from '#features/chat/chat-queries.ts'
import { connectSupabase } from '#lib/supabase-connection.ts'
import { drawScreen } from '../../../../testing/draw-screen.tsx'
import { aSession, fakeBackend } from '../../../../testing/fake-backend.ts'
import { Composer } from './composer.tsx'

const CHAT: Chat = { id: 'chat', name: 'Squad', type: 'group', created_by: 'maya', is_active: true }
const UPDATE = 'PATCH /rest/v1/chat_messages'
const alerts = vi.fn()
const onDone = vi.fn()

beforeEach(() => {
  vi.resetAllMocks()
  vi.stubGlobal('alert', alerts)
})

function editAMessage(answer: { status: number; body?: object }) {
  const calls = fakeBackend({
    'GET /rest/v1/users?select=*': { body: { id: 'maya', can_send_messages: true } },
    'GET /rest/v1/chat_participants?': { body: [{ users: aMember() }] },
    'POST /rest/v1/rpc/': { body: [aMember()] },
    [UPDATE]: answer,
  })
  localStorage.setItem('member-session', JSON.stringify(aSession()))
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'key' })
  const message = aMessage({ sender_id: 'maya' })
  drawScreen({
    path: '/chat/chat',
    screen: (
      <Composer
        chat={CHAT}
        composing={{ kind: 'edit', message }}
        onDone={onDone}
        onSent={() => {}}
      />
    ),
  })
  return calls
}

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
const change = (value: string) => fireEvent.change(field(), { target: { value } })

test('an edit that is not saved says why and keeps what was typed', async () => {
  editAMessage({ status: 400, body: { message: 'No luck' } })
  change('On Friday instead')
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() =>
    expect(alerts).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/: No luck$/)),
  )
  expect(onDone).not.toHaveBeenCalled()
  expect(field().value).toBe('On Friday instead')
})

test('an edit is over once it is saved, and takes the focus from nobody', async () => {
  const calls = editAMessage({ status: 200 })
  change('On Friday instead')
  const elsewhere = document.body.appendChild(document.createElement('button'))
  elsewhere.focus()
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledExactlyOnceWith(false))
  expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({
    message: 'On Friday instead',
  })
  elsewhere.remove()
})

test('an edit offers nobody to mention, because it tells nobody', async () => {
  const calls = editAMessage({ status: 200 })
  change('@Pri')
  await new Promise((resolve) => setTimeout(resolve))
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(calls.some(({ path }) => path.includes('Pri'))).toBe(false)
})
