import type { Page } from '@playwright/test'
import { queryDatabase } from './server.ts'
import { SESSION_KEY } from './sign-in.ts'

type Session = { access_token: string; expires_at: number }

/** As if this device had signed in, and shown its codes, an hour ago. Reloads the page, which fetches a token that says so. */
export async function ageSignIn(page: Page) {
  const stored = await page.evaluate((key) => localStorage.getItem(key), SESSION_KEY)
  const session = JSON.parse(stored ?? '') as Session
  const claims = Buffer.from(session.access_token.split('.')[1] ?? '', 'base64url').toString()
  const { session_id } = JSON.parse(claims) as { session_id: string }
  await queryDatabase(
    "update auth.mfa_amr_claims set updated_at = updated_at - interval '1 hour' where session_id = $1",
    [session_id],
  )
  await page.evaluate(([key, text]) => localStorage.setItem(key, text), [
    SESSION_KEY,
    JSON.stringify({ ...session, expires_at: 0 }),
  ] as const)
  await page.reload()
}
