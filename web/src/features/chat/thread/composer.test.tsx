import 'fake-indexeddb/auto'
import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { aMember, aMessage } from '#features/chat/chat-builders.ts'
import { outboxOf } from '#features/chat/member-outbox.ts'
import type { Chat } from '#features/chat/chat-queries.ts'
import { connectSupabase } from '#lib/supabase/supabase-connection.ts'
import { renderScreen } from '../../../../testing/draw-screen.tsx'
import { aSession, fakeBackend } from '../../../../testing/fake-backend.ts'
import { Composer } from './composer.tsx'
import type { Composing } from './composing.ts'

const CHAT: Chat = { id: 'chat', name: 'Squad', type: 'group', created_by: 'maya', is_active: true }
const UPDATE = 'PATCH /rest/v1/chat_messages'
const alerts = vi.fn()
const onDone = vi.fn()

beforeEach(() => {
  vi.resetAllMocks()
  vi.stubGlobal('alert', alerts)
})

function editAMessage(answer: { status: number; body?: object }) {
  return openComposer({ kind: 'edit', message: aMessage({ sender_id: 'maya' }) }, answer)
}

function openComposer(composing: Composing, answer: { status: number; body?: object }) {
  const calls = fakeBackend({
    'GET /rest/v1/users?select=*': { body: { id: 'maya', can_send_messages: true } },
    'GET /rest/v1/chat_participants?': { body: [{ users: aMember() }] },
    'POST /rest/v1/rpc/': { body: [aMember()] },
    'POST /rest/v1/chat_messages': () => new Promise<never>(() => {}),
    [UPDATE]: answer,
  })
  localStorage.setItem('member-session', JSON.stringify(aSession()))
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'key' })
  renderScreen({
    path: '/chat/chat',
    screen: <Composer chat={CHAT} composing={composing} onDone={onDone} onSent={() => {}} />,
  })
  return calls
}

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
const change = (value: string) => fireEvent.change(field(), { target: { value } })

test('a failed edit says why and keeps what was typed', async () => {
  editAMessage({ status: 400, body: { message: 'No luck' } })
  change('On Friday instead')
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() =>
    expect(alerts).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/: No luck$/)),
  )
  expect(onDone).not.toHaveBeenCalled()
  expect(field().value).toBe('On Friday instead')
})

test("a saved edit ends, and doesn't steal focus", async () => {
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

test('an edit suggests no mentions, because edits notify nobody', async () => {
  const calls = editAMessage({ status: 200 })
  change('@Pri')
  await new Promise((resolve) => setTimeout(resolve))
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(calls.some(({ path }) => path.includes('Pri'))).toBe(false)
})

const STORED = { status: 200 }
const written = () =>
  outboxOf('maya')
    .entries()
    .map(({ text }) => text)

test('nothing of a long text is cut off: it is counted, and sent in parts', async () => {
  openComposer({ kind: 'new' }, STORED)
  const [first, second] = ['a'.repeat(3000), 'b'.repeat(3000)]
  change(`${first}\n\n${second}`)
  expect(field().value).toHaveLength(6002)
  expect(screen.getByText('6,002 of 4,000 characters.')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true)
  fireEvent.keyDown(field(), { key: 'Enter' })
  expect(field().value).toHaveLength(6002)
  fireEvent.click(screen.getByRole('button', { name: 'Send as 2 messages' }))
  await vi.waitFor(() => expect(written()).toEqual([first, second]))
  expect(field().value).toBe('')
})

test('an edit stays one message, so a longer one is counted and not saved', () => {
  editAMessage(STORED)
  change('a'.repeat(4001))
  expect(screen.getByText('4,001 of 4,000 characters.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Send as/ })).toBeNull()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
})

test.each([
  ['starts a line with the keyboard of a touch screen', true, 'enter'],
  ['sends with a keyboard of its own', false, 'send'],
])('Enter %s', async (_what, isTouch, hint) => {
  vi.stubGlobal('matchMedia', () => ({ matches: isTouch }))
  openComposer({ kind: 'new' }, STORED)
  change('Two lines')
  expect(field().getAttribute('enterkeyhint')).toBe(hint)
  // False: the browser's own reaction, a new line, was prevented.
  expect(fireEvent.keyDown(field(), { key: 'Enter' })).toBe(isTouch)
  await vi.waitFor(() => expect(field().value).toBe(isTouch ? 'Two lines' : ''))
})

test('a picture that cannot be sent is refused next to the field, not by an alert', async () => {
  openComposer({ kind: 'new' }, STORED)
  const drawing = new File(['<svg/>'], 'logo.svg', { type: 'image/svg+xml' })
  fireEvent.change(screen.getByLabelText('Attach an image'), { target: { files: [drawing] } })
  expect((await screen.findByRole('alert')).textContent).toMatch(/^SVG files can't be uploaded/)
  expect(alerts).not.toHaveBeenCalled()
})
