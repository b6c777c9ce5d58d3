import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { fakeBackend } from '../../../testing/fake-backend.ts'
import { ChatSettings } from './chat-settings.tsx'

const aChat = (number: number, muted_until: string | null = null) => ({
  chat_id: `c${number}`,
  title: `Chat ${number}`,
  muted_until,
})

function draw(chats: object[]) {
  const calls = fakeBackend({
    'POST /rest/v1/rpc/chat_list': { body: chats },
    'PATCH /rest/v1/chat_participants': { body: [] },
  })
  renderScreen({ path: '/notifications', screen: <ChatSettings /> })
  return calls
}

const chatSwitch = (name: string) => screen.findByRole<HTMLInputElement>('switch', { name })

test('a muted chat shows as off, one whose mute has expired as on', async () => {
  draw([aChat(1), aChat(2, 'infinity'), aChat(3, '2020-01-01T00:00:00Z')])
  expect((await chatSwitch('Chat 1')).checked).toBe(true)
  expect((await chatSwitch('Chat 2')).checked).toBe(false)
  expect((await chatSwitch('Chat 3')).checked).toBe(true)
})

test('switching a chat off mutes it for this member, switching it on unmutes it', async () => {
  const calls = draw([aChat(1), aChat(2, 'infinity')])
  fireEvent.click(await chatSwitch('Chat 1'))
  fireEvent.click(await chatSwitch('Chat 2'))
  const changes = () => calls.filter(({ method }) => method === 'PATCH')
  await waitFor(() => expect(changes()).toHaveLength(2))
  expect(changes().map(({ body }) => body.muted_until)).toEqual(['infinity', null])
  expect(changes()[0]?.path).toContain('chat_id=eq.c1')
})

test('of two quick changes of a chat the last is stored and shown, however slow the first', async () => {
  let muted: unknown = null
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const calls = fakeBackend({
    'POST /rest/v1/rpc/chat_list': () => ({
      body: [{ ...aChat(1), muted_until: muted }, aChat(2)],
    }),
    'PATCH /rest/v1/chat_participants': async () => {
      const { body, path } = calls.at(-1)!
      if (changes().length === 1) await released
      if (path.includes('chat_id=eq.c1')) muted = body.muted_until
      return { body: [] }
    },
  })
  const changes = () => calls.filter(({ method }) => method === 'PATCH')
  const reads = () => calls.length - changes().length
  renderScreen({ path: '/notifications', screen: <ChatSettings /> })
  const [first, second] = [await chatSwitch('Chat 1'), await chatSwitch('Chat 2')]
  fireEvent.click(first)
  await waitFor(() => expect(changes()).toHaveLength(1))
  fireEvent.click(first)
  await waitFor(() => expect(first.checked).toBe(true))
  expect(changes()).toHaveLength(1)
  // Another chat does not wait.
  fireEvent.click(second)
  await waitFor(() => expect(changes()).toHaveLength(2))
  expect(changes()[1]?.path).toContain('chat_id=eq.c2')
  // Read once all are stored: before, the list would show the chat as muted again.
  expect(reads()).toBe(1)
  release()
  await waitFor(() => expect(reads()).toBe(2))
  expect(changes().map(({ body }) => body.muted_until)).toEqual(['infinity', 'infinity', null])
  expect(muted).toBeNull()
  await waitFor(() => expect(second.checked).toBe(true))
  expect(first.checked).toBe(true)
})

test('a long list is collapsed at first', async () => {
  draw(Array.from({ length: 9 }, (_, index) => aChat(index)))
  expect(await screen.findAllByRole('switch')).toHaveLength(6)
  fireEvent.click(screen.getByRole('button', { name: 'Show all 9 chats' }))
  expect(screen.getAllByRole('switch')).toHaveLength(9)
})
