import { createPrivateKey, sign } from 'node:crypto'
import type { Page } from '@playwright/test'
import { signingKey } from './server.ts'
import { SESSION_KEY } from './sign-in.ts'

type Session = { access_token: string }
type Claims = { amr: { method: string; timestamp: number }[] }

/** As if this device had signed in, and shown its codes, an hour ago: its token says so. Reloads the page. */
export async function ageSignIn(page: Page) {
  const stored = await page.evaluate((key) => localStorage.getItem(key), SESSION_KEY)
  const session = JSON.parse(stored ?? '') as Session
  const [header = '', payload = ''] = session.access_token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims
  const amr = claims.amr.map((shown) => ({ ...shown, timestamp: shown.timestamp - 3600 }))
  const aged = Buffer.from(JSON.stringify({ ...claims, amr })).toString('base64url')
  const privateKey = createPrivateKey({ key: signingKey(), format: 'jwk' })
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
  const signature = sign('sha256', Buffer.from(`${header}.${aged}`), key).toString('base64url')
  const next = JSON.stringify({ ...session, access_token: `${header}.${aged}.${signature}` })
  await page.evaluate(([key, text]) => localStorage.setItem(key, text), [
    SESSION_KEY,
    next,
  ] as const)
  await page.reload()
}
