import 'fake-indexeddb/auto'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { chatQuery, type Chat, type Pin } from '#features/chat/model/chat-queries.ts'
import { fakeBackend, signedIn } from '../../../../testing/fake-backend.ts'
import { changePins, notePins } from './pins.ts'

const chat: Chat = {
  id: 'chat',
  name: null,
  type: 'individual',
  created_by: 'priya',
  is_active: true,
  pins: [],
}
const pin: Pin = {
  message_id: 'friday',
  created_by: 'maya',
  created_at: '2026-11-20T09:00:00.000Z',
  message: { sender_id: 'priya', sent_at: '2026-11-20T08:00:00.000Z', message: 'Friday at nine' },
}

beforeEach(() => signedIn())

/** A chat that is on the screen and being read again: the first read returns what was there before the pin. */
async function chatBeingRead() {
  const stored = { pins: [] as Pin[] }
  const reads: (() => void)[] = []
  fakeBackend({
    'GET /rest/v1/chats?': async () => {
      const body = [{ ...chat, pins: stored.pins }]
      await new Promise<void>((resolve) => reads.push(resolve))
      return { body }
    },
  })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  client.setQueryData(chatQuery('chat').queryKey, chat)
  onTestFinished(new QueryObserver(client, chatQuery('chat')).subscribe(() => {}))
  await vi.waitFor(() => expect(reads).toHaveLength(1))
  /** Responds to every read, also those that begin meanwhile. */
  async function respond() {
    await vi.waitFor(() => {
      for (const read of reads.splice(0)) read()
      expect(client.isFetching()).toBe(0)
    })
  }
  const shown = () => client.getQueryData(chatQuery('chat').queryKey)?.pins
  return { client, stored, respond, shown }
}

test('a read that began before a pin does not take it away', async () => {
  const { client, stored, respond, shown } = await chatBeingRead()
  stored.pins = [pin]
  notePins(client, 'chat', { pins: [pin] })
  await respond()
  expect(shown()).toEqual([pin])
})

test("a read that began before the member's own pin does not take it away", async () => {
  const { client, stored, respond, shown } = await chatBeingRead()
  stored.pins = [pin]
  changePins(client, 'chat', () => [pin])
  await respond()
  expect(shown()).toEqual([pin])
})
