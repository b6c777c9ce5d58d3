import 'fake-indexeddb/auto'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aMember, aMessage } from '#features/chat/model/chat-builders.ts'
import type { Chat } from '#features/chat/model/chat-queries.ts'
import type { Message } from '#features/chat/model/chat-types.ts'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { renderScreen } from '../../../../testing/draw-screen.tsx'
import { aSession, fakeBackend } from '../../../../testing/fake-backend.ts'
import { MessageBubble } from './message-bubble.tsx'

const CHAT: Chat = {
  id: 'chat',
  name: null,
  type: 'individual',
  created_by: 'maya',
  is_active: true,
}

function drawMessage(senderId: string, traits: Partial<Message> = {}) {
  fakeBackend({ 'GET /rest/v1/users?': { body: [aMember({ id: 'priya' })] } })
  localStorage.setItem('member-session', JSON.stringify(aSession()))
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'key' })
  const bubble = (
    <MessageBubble
      message={aMessage({ sender_id: senderId, ...traits })}
      chat={CHAT}
      isFirstOfRun={false}
      isLastOfRun
      isHighlighted={false}
      onJump={() => {}}
      onCompose={() => {}}
      onAsk={() => {}}
    />
  )
  return renderScreen({ path: '/chat/chat', screen: bubble })
}

test("screen readers get a message's author, which others see by side and color", async () => {
  const { unmount } = drawMessage('priya')
  expect((await screen.findByText('Priya Shah')).className).toBe('sr-only')
  expect(screen.getByRole('article').textContent).toMatch(/^Priya ShahI can ride along/)
  unmount()
  drawMessage('maya')
  expect((await screen.findByText('You')).className).toBe('sr-only')
})

test('a message and its menu are named by sender, time and the beginning of the text', async () => {
  const { unmount } = drawMessage('priya', { message: 'Bring the binder. '.repeat(20) })
  const article = await screen.findByRole('article', {
    name: /^Priya Shah, \d+:\d\d [AP]M: Bring the binder\. .{20,62} …$/,
  })
  const name = article.getAttribute('aria-label')
  expect(screen.getByRole('button', { name: `Message options: ${name}` })).toBeTruthy()
  unmount()
  drawMessage('maya', { is_deleted: true, message: '' })
  expect(
    await screen.findByRole('article', { name: /^You, .*: This message was deleted$/ }),
  ).toBeTruthy()
})
