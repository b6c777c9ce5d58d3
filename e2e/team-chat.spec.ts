import { expect, test } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aMember } from './support/members.ts'
import { pageOf } from './support/sign-in.ts'

test("one member's message appears live in another's open thread and counts in a third's list", async ({
  browser,
}) => {
  const [ana, ben, cleo] = await Promise.all([
    aMember({ firstName: 'Ana' }),
    aMember({ firstName: 'Ben' }),
    aMember({ firstName: 'Cleo' }),
  ])
  const [anasPage, bensPage, cleosPage] = await Promise.all([
    pageOf(browser, ana),
    pageOf(browser, ben),
    pageOf(browser, cleo),
  ])
  for (const page of [anasPage, bensPage, cleosPage]) {
    await page.getByRole('link', { name: /^Chat/ }).click()
    await expect(page.getByRole('heading', { name: 'Chat', exact: true })).toBeVisible()
  }
  for (const page of [anasPage, bensPage]) {
    await page.getByRole('link', { name: /Rally Chat/ }).click()
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  }
  const text = `Doors open at ${Date.now()}`
  await anasPage.getByRole('textbox', { name: 'Message' }).fill(text)
  await anasPage.getByRole('textbox', { name: 'Message' }).press('Enter')
  await expect(bensPage.getByText(text)).toBeVisible({ timeout: 1000 })
  await expect(anasPage.getByText(text)).toHaveCount(1)
  await expect(cleosPage.getByRole('link', { name: /Rally Chat/ })).toContainText(text, {
    timeout: 2000,
  })
  await expect(cleosPage.getByRole('link', { name: /Rally Chat.*unread/ })).toBeVisible()
  await expectAccessible(bensPage)
  await expectAccessible(cleosPage)
})
