import { expect, test, type Page } from '@playwright/test'
import { aChat, say } from './support/chats.ts'
import { settled } from './support/look-at.ts'
import { aMember } from './support/members.ts'
import { expectReadable } from './support/reading-order.ts'
import {
  ADMIN_SCREENS,
  CHAT_SCREENS,
  GUEST_SCREENS,
  MEMBER_SCREENS,
  OWN_SCREENS,
  type Look,
} from './support/screens.ts'
import { signIn } from './support/sign-in.ts'

const DANA = { email: 'dana.reyes@example.com', password: 'rally-demo' }
const PHONE = { width: 412, height: 915 }
const DESKTOP = { width: 1280, height: 800 }

/** On a desk and on a phone, whose layouts put the same document in other places. */
async function readAll(page: Page, looks: Look[]) {
  for (const look of looks) {
    await page.setViewportSize(DESKTOP)
    await page.goto(look.path)
    await settled(page)
    if (look.open) {
      await look.open(page)
      await settled(page)
    }
    await expectReadable(page, look.name)
    await page.setViewportSize(PHONE)
    await expectReadable(page, `${look.name} on a phone`)
  }
}

test('account screens are read in the order they are seen in', async ({ page }) => {
  await readAll(page, [...GUEST_SCREENS, { name: 'join', path: '/join/no-such-invitation' }])
})

test('every screen of a member and of an admin is read in the order it is seen in', async ({
  page,
}) => {
  test.slow()
  await signIn(page, DANA)
  await readAll(page, [...MEMBER_SCREENS, ...CHAT_SCREENS, ...OWN_SCREENS, ...ADMIN_SCREENS])
})

test('both sides of a conversation are read in their order', async ({ page }) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben])
  await say(ben, id, 'Are the doors open? See https://example.com')
  await say(ana, id, 'At nine, see https://example.com/doors')
  await signIn(page, ana)
  await page.goto(`/chat/${id}`)
  await expect(page.getByRole('log').getByText('At nine')).toBeVisible()
  await expectReadable(page, 'thread')
})
