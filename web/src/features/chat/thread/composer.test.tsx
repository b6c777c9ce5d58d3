import 'fake-indexeddb/auto'
import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { aMember, aMessage } from '#features/chat/model/chat-builders.ts'
import type { Chat } from '#features/chat/model/chat-queries.ts'
import type { Composing } from '#features/chat/model/composing.ts'
import { outboxOf } from '#features/chat/outbox/member-outbox.ts'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { renderScreen } from '../../../../testing/draw-screen.tsx'
import { aSession, fakeBackend } from '../../../../testing/fake-backend.ts'
import { attachmentOf } from './attached.ts'
import { Composer } from './composer.tsx'

const CHAT: Chat = { id: 'chat', name: 'Squad', type: 'group', created_by: 'maya', is_active: true }
const UPDATE = 'PATCH /rest/v1/chat_messages'
const alerts = vi.fn()
const onDone = vi.fn()

beforeEach(() => {
  vi.resetAllMocks()
  vi.stubGlobal('alert', alerts)
})

function editAMessage(response: { status: number; body?: object }) {
  return openComposer({ kind: 'edit', message: aMessage({ sender_id: 'maya' }) }, response)
}

function openComposer(composing: Composing, response: { status: number; body?: object }) {
  const calls = fakeBackend({
    'GET /rest/v1/users?select=*': { body: { id: 'maya', can_send_messages: true } },
    'GET /rest/v1/chat_participants?': { body: [{ users: aMember() }] },
    'POST /rest/v1/rpc/': { body: [aMember()] },
    'POST /rest/v1/chat_messages': () => new Promise<never>(() => {}),
    [UPDATE]: response,
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

test('an edit of a message that has since been deleted says so and keeps what was typed', async () => {
  editAMessage({ status: 200, body: [] })
  change('On Friday instead')
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() =>
    expect(alerts).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/: Nothing was changed/)),
  )
  expect(field().value).toBe('On Friday instead')
})

test("a saved edit ends, and doesn't steal focus", async () => {
  const calls = editAMessage({ status: 200, body: [{ id: 'm1' }] })
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
  const calls = editAMessage({ status: 200, body: [{ id: 'm1' }] })
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

const choose = (label: string, files: File[]) =>
  fireEvent.change(screen.getByLabelText(label), { target: { files } })

test('a picture that cannot be sent is refused next to the field, not by an alert', async () => {
  openComposer({ kind: 'new' }, STORED)
  const drawing = new File(['<svg/>'], 'logo.svg', { type: 'image/svg+xml' })
  choose('Photos', [drawing])
  expect((await screen.findByRole('alert')).textContent).toMatch(/^SVG files can't be uploaded/)
  expect(alerts).not.toHaveBeenCalled()
})

test('several files go out in their order, each a message, the first with the text', async () => {
  openComposer({ kind: 'new' }, STORED)
  change('Prices and plan')
  choose('Files', [new File(['a'], 'Prices.csv'), new File(['%PDF-'], 'pl\u202ean.PDF')])
  await screen.findByRole('button', { name: 'Remove plan.PDF' })
  fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  const sent = () => outboxOf('maya').entries().slice(-2)
  await vi.waitFor(() =>
    expect(sent().map(({ text, image }) => [text, image?.attachment])).toMatchObject([
      ['Prices and plan', { kind: 'file', name: 'Prices.csv', size: 1, type: 'text/csv' }],
      ['', { kind: 'file', name: 'plan.PDF', size: 5, type: 'application/pdf' }],
    ]),
  )
  expect(sent().map(({ image, id }) => image?.attachment.path.replace(id, 'id'))).toEqual([
    'chat/id.csv',
    'chat/id.pdf',
  ])
  expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull()
})

test('a file is uploaded as what its name says, whatever the browser takes it for', () => {
  const file = new File(['a,b'], 'Prices.csv', { type: 'application/vnd.ms-excel' })
  const sent = attachmentOf({ id: 'one', name: file.name, file, type: 'text/csv' }, 'chat/one')
  expect(sent && 'file' in sent && [sent.file.type, sent.file.size]).toEqual(['text/csv', 3])
})

test('what cannot be sent is refused by its name before anything is uploaded; the rest stays', async () => {
  const calls = openComposer({ kind: 'new' }, STORED)
  const large = new File(['a'], 'film.mp4')
  Object.defineProperty(large, 'size', { value: 25_000_001 })
  const files = [
    new File(['a'], 'run.exe'),
    large,
    new File([], 'none.txt'),
    new File(['a'], 'a.txt'),
  ]
  choose('Files', files)
  const refusal = (await screen.findByRole('alert')).textContent
  expect(refusal).toContain(
    'run.exe: You can send photos, PDFs, Office files, text, video and audio',
  )
  expect(refusal).toContain('film.mp4: The file is larger than 25 MB')
  expect(refusal).toContain('none.txt: The file is empty')
  expect(await screen.findByRole('button', { name: 'Remove a.txt' })).toBeTruthy()
  expect(calls.some(({ path }) => path.includes('/storage/'))).toBe(false)
})

test('a pasted file is attached; text that Excel copied with its picture is text', async () => {
  openComposer({ kind: 'new' }, STORED)
  const paste = (types: string[]) =>
    fireEvent.paste(field(), {
      clipboardData: { files: [new File(['a'], 'Prices.csv')], types },
    })
  expect(paste(['text/plain', 'Files'])).toBe(true)
  expect(paste(['Files'])).toBe(false)
  expect(await screen.findAllByRole('button', { name: /^Remove/ })).toHaveLength(1)
})

test('a file dropped anywhere on the app is attached', async () => {
  openComposer({ kind: 'new' }, STORED)
  const files = [new File(['a'], 'Prices.csv')]
  expect(fireEvent.drop(window, { dataTransfer: { files, types: ['Files'] } })).toBe(false)
  expect(await screen.findByRole('button', { name: 'Remove Prices.csv' })).toBeTruthy()
})
