import { expect, test } from '@playwright/test'
import { aMember } from './support/members.ts'
import { signIn } from './support/sign-in.ts'

test('Back closes an open menu or dialog first, then leaves the screen', async ({ page }) => {
  await signIn(page, await aMember())
  const more = page.getByRole('button', { name: 'More' })
  await more.click()
  await page.getByRole('link', { name: 'Profile', exact: true }).click()
  await page.getByRole('button', { name: 'Change name' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change name' })
  await expect(dialog).toBeVisible()
  await page.goBack()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/\/profile$/)
  await more.click()
  await expect(more).toHaveAttribute('aria-expanded', 'true')
  await page.goBack()
  await expect(more).toHaveAttribute('aria-expanded', 'false')
  await expect(page).toHaveURL(/\/profile$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/home$/)
})

test('on the screen the app was opened with, Back closes a layer instead of leaving the app', async ({
  page,
}) => {
  await signIn(page, await aMember())
  await page.goto('about:blank')
  await page.goto('/schedule')
  const more = page.getByRole('button', { name: 'More' })
  await more.click()
  // Closing layers is loaded after the screen.
  await page.waitForFunction('history.state.hasBeneath')
  await page.goBack()
  await expect(more).toHaveAttribute('aria-expanded', 'false')
  await expect(page).toHaveURL(/\/schedule$/)
  // From here a link and two steps back lead where they always did.
  await page.getByRole('link', { name: 'Home' }).click()
  await page.goBack()
  await expect(page).toHaveURL(/\/schedule$/)
  await page.goBack()
  await expect(page).toHaveURL('about:blank')
})
