import 'fake-indexeddb/auto'
import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { aMessage } from '#features/chat/model/chat-builders.ts'
import { renderScreen } from '../../../../testing/draw-screen.tsx'
import { fakeBackend } from '../../../../testing/fake-backend.ts'
import { startLiveServer } from '../../../../testing/live-server.ts'
import { SeenBy } from './seen-by.tsx'
import { useLiveThread } from './use-live-thread.ts'

afterEach(() => void vi.unstubAllGlobals())

function Page() {
  useLiveThread('chat')
  return <SeenBy messageId="mine" isOfTwo={false} />
}

test('a message read before the thread was live shows as seen once it is', async () => {
  const reader = { id: 'theo', first_name: 'Theo', last_name: 'Grant', seen_at: '', total: 1 }
  let isRead = false
  const live = startLiveServer({
    answerJoin: () => {
      isRead = true
      return 'ok'
    },
  })
  fakeBackend({
    'POST /rest/v1/rpc/message_seen_by': () => ({ body: isRead ? [reader] : [] }),
    'POST /rest/v1/rpc/chat_changes': { body: [] },
    'GET /rest/v1/chat_messages?': { body: [{ ...aMessage(), my_reactions: [] }] },
  })
  renderScreen({ path: '/', screen: <Page /> })
  await screen.findByRole('button', { name: 'Seen by 1' })
  expect(live.hasJoined('chat:chat')).toBe(true)
})
