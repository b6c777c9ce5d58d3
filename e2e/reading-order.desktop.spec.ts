import { expect } from '@playwright/test'
import { aChat, say } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { expectReadable } from './support/reading-order.ts'
import { signIn } from './support/sign-in.ts'

test('both sides of a conversation are read in order', async ({ page }) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben])
  await say(ben, id, 'Are the doors open? See https://example.com')
  await say(ana, id, 'At nine, see https://example.com/doors')
  await signIn(page, ana, `/chat/${id}`)
  await expect(page.getByRole('log').getByText('At nine')).toBeVisible()
  await expectReadable(page, 'thread')
})
