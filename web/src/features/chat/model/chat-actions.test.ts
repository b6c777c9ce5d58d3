import { expect, test } from 'vitest'
import { fakeBackend } from '../../../../testing/fake-backend.ts'
import { setHidden } from './chat-actions.ts'

test('of two chats that are hidden in quick succession, both are hidden', async () => {
  let hidden: unknown = []
  const calls = fakeBackend({
    'GET /rest/v1/users': () => ({ body: { hidden_chats: hidden, archived_chats: [] } }),
    'PATCH /rest/v1/users': async () => {
      const { body } = calls.at(-1)!
      await Promise.resolve()
      hidden = body.hidden_chats
      return { body: [] }
    },
  })
  await Promise.all([setHidden('maya', 'c1', true), setHidden('maya', 'c2', true)])
  expect(hidden).toEqual(['c1', 'c2'])
})
