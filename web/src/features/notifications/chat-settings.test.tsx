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

test('a long list is collapsed at first', async () => {
  draw(Array.from({ length: 9 }, (_, index) => aChat(index)))
  expect(await screen.findAllByRole('switch')).toHaveLength(6)
  fireEvent.click(screen.getByRole('button', { name: 'Show all 9 chats' }))
  expect(screen.getAllByRole('switch')).toHaveLength(9)
})
