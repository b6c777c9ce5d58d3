import { expect, type Locator, type Page } from '@playwright/test'
import { totpCode } from 'backend/testing/totp-codes.ts'
import { PASSWORD } from './members.ts'

const STEP_MS = 30_000

/** An authenticator app with one account. Each code works once, so it waits for the next one as a person would. */
export type Authenticator = { nextCode(): Promise<string> }

export function anAuthenticator(secret: string): Authenticator {
  let lastStep = 0
  return {
    async nextCode() {
      // The server takes the code of the next step as well, so two sign-ins in a row need not wait for long.
      const step = () => Math.floor(Date.now() / STEP_MS)
      await expect.poll(() => step() + 1 > lastStep, { timeout: 2 * STEP_MS }).toBe(true)
      lastStep = Math.max(lastStep + 1, step())
      return totpCode(secret, lastStep * STEP_MS)
    },
  }
}

/** Opens Profile and begins the set-up, up to the QR code. */
export async function beginTwoStep(page: Page, password = PASSWORD): Promise<Locator> {
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Two-step verification' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Password', { exact: true }).fill(password)
  await sheet.getByRole('button', { name: 'Continue' }).click()
  return sheet
}

/** Turns two-step verification on in Profile, up to the recovery codes. */
export async function turnOnTwoStep(page: Page): Promise<{ app: Authenticator; codes: string[] }> {
  const sheet = await beginTwoStep(page)
  const key = await sheet.locator('code').textContent()
  const app = anAuthenticator((key ?? '').replaceAll(' ', ''))
  await sheet.getByLabel('6-digit code').fill(await app.nextCode())
  await sheet.getByRole('button', { name: 'Turn on' }).click()
  const list = sheet.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(list).toHaveCount(10)
  return { app, codes: await list.allTextContents() }
}
