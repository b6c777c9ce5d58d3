import { expect, type Browser, type Page } from '@playwright/test'
import type { Member } from './members.ts'

/** Fills in the login form like a person. */
export async function fillLogin(
  page: Page,
  { email, password }: Pick<Member, 'email' | 'password'>,
) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

/** Signs in through the login screen and waits for Home. */
export async function signIn(page: Page, member: Pick<Member, 'email' | 'password'>) {
  // The three-second minimum (product.md P120) is tested where signing in is the journey.
  await page.addInitScript(`globalThis.busyMinimumMs = 0`)
  await page.goto('/')
  await fillLogin(page, member)
  await expect(page).toHaveURL(/\/home$/, { timeout: 15_000 })
}

/** A new browser context, signed in. */
export async function pageOf(browser: Browser, member: Member): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await signIn(page, member)
  return page
}
