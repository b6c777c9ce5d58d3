import { expect } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, openThread, thread } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { pageOf } from './support/sign-in.ts'

test('a message’s menu says where its link leads, without opening it', async ({ browser }) => {
  const [ana, ben] = await Promise.all([aMember(), aMember()])
  // Nothing that the server would reach.
  const firstMessage = 'Look: http://127.0.0.1/rates, and http://127.0.0.1/rates again'
  const { id } = await aChat(ben, [ana], { firstMessage })
  const page = await pageOf(browser, ana)
  await openThread(page, id)
  await thread(page).getByText('Look:').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Link preview' }).click()
  const sheet = page.getByRole('dialog', { name: 'Link preview' })
  await expect(sheet.getByText('This page has no description.')).toBeVisible()
  await expect(sheet.getByRole('link')).toHaveCount(1)
  await expect(sheet.getByRole('link', { name: 'Open 127.0.0.1' })).toHaveAttribute(
    'href',
    'http://127.0.0.1/rates',
  )
  await expectAccessible(page)
})
