import { expect } from '@playwright/test'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { serverUrl } from './support/server.ts'
import { fillLogin } from './support/sign-in.ts'

test('the app works at whatever address it was opened at, and its page reaches no other', async ({
  page,
}) => {
  const here = serverUrl().replace('localhost', '127.0.0.1')
  expect(here).not.toBe(serverUrl())
  const blocked: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) blocked.push(message.text())
  })
  const socket = page.waitForEvent('websocket')
  await page.addInitScript('globalThis.busyMinimumMs = 0')
  await page.goto(here)
  await fillLogin(page, await aMember())
  await expect(page).toHaveURL(/\/home$/)
  expect(new URL(page.url()).origin).toBe(here)
  expect(new URL((await socket).url()).host).toBe(new URL(here).host)
  await page.goto(`${here}/chat`)
  await expect(page.getByText('Rally Chat')).toBeVisible()
  expect(blocked).toEqual([])
})
