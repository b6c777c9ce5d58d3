import { expect, type Browser, type Page } from '@playwright/test'
import type { Member } from './members.ts'
import { publicKey, serverUrl } from './server.ts'

type Account = Pick<Member, 'email' | 'password'>

/** Where the app keeps its session. */
export const SESSION_KEY = 'member-session'

/** Fills in the login form like a person. */
export async function fillLogin(page: Page, { email, password }: Account) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

/**
 * Opens a screen on a device where this account has signed in before. Where signing in is the journey, it goes through the
 * login screen with `fillLogin`.
 */
export async function signIn(page: Page, account: Account, path = '/home') {
  // The three-second minimum (product.md P120) is tested where signing in is the journey.
  await page.addInitScript(`globalThis.busyMinimumMs = 0`)
  const keeping = await page.addInitScript(([key, session]) => localStorage.setItem(key, session), [
    SESSION_KEY,
    await aSession(page, account),
  ] as const)
  await page.goto(path)
  // What the app does with its session from here on is its own.
  await keeping.dispose()
}

/** A new browser context, signed in at a screen. */
export async function pageOf(browser: Browser, member: Account, path?: string): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await signIn(page, member, path)
  return page
}

/** A new session of this browser, as the app stores it. */
async function aSession(page: Page, { email, password }: Account): Promise<string> {
  const response = await page.request.post(`${serverUrl()}/auth/v1/token?grant_type=password`, {
    headers: { apikey: await publicKey() },
    data: { email, password },
  })
  expect(response.status()).toBe(200)
  return response.text()
}
