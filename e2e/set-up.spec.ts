// A real installation from its first start: who is first is not admin, who has the set-up code is.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Browser, type Page } from '@playwright/test'
import { freePort } from 'backend/postgres/free-port.ts'
import { expectAccessible } from './support/accessibility.ts'
import { test } from './support/journey.ts'
import { PASSWORD } from './support/members.ts'

const MAIN = fileURLToPath(new URL('../server/dist/main.js', import.meta.url))

type Installation = { url: string; setUpCode: string; mailboxSecret: string }
let dataDir: string
let server: ChildProcess
let installed: Installation

test.beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'first-start-'))
  installed = await firstStart(await freePort())
})
test.afterAll(async () => {
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  await ended
  await rm(dataDir, { recursive: true, force: true })
})

/** Starts it as `npm start` does, and reads what it prints for whoever sets it up. */
async function firstStart(port: number): Promise<Installation> {
  server = spawn(process.execPath, [MAIN], {
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, RATE_LIMIT_FACTOR: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  for await (const chunk of server.stdout ?? []) {
    printed += String(chunk)
    if (printed.includes('Ctrl-C')) break
  }
  // The rest is read, too, or the process would wait for it.
  server.stdout?.resume()
  const word = (before: RegExp) => before.exec(printed)?.[1] ?? ''
  return {
    url: `http://localhost:${port}`,
    setUpCode: word(/set-up code: (\S+)/),
    mailboxSecret: word(/opens them once: (\S+)/),
  }
}

async function aVisitor(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: installed.url })).newPage()
  await page.addInitScript('globalThis.busyMinimumMs = 0')
  return page
}

/** Creates an account, confirms it with the mail and logs in. */
async function joinTeam(page: Page, name: string, mailbox: Page) {
  const email = `${name.toLowerCase()}@example.com`
  await page.goto('/create-account')
  await page.getByLabel('First Name').fill(name)
  await page.getByLabel('Last Name').fill('First')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Verify Account' }).click()
  await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeVisible()
  await page.goto(await confirmationOf(email, mailbox))
  await expect(page.getByRole('heading', { name: 'Email Verified!' })).toBeVisible()
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
}

async function confirmationOf(email: string, mailbox: Page): Promise<string> {
  type Mails = { to: string; links: string[] }[]
  const response = await mailbox.request.get('/_mail/messages.json')
  const mails = (await response.json()) as Mails
  const link = mails
    .find(({ to }) => to.includes(email))
    ?.links.find((each) => each.includes('verify'))
  expect(link, `a mail to ${email}`).toBeTruthy()
  return link ?? ''
}

test('on a fresh start whoever has the set-up code becomes admin, and what is true ticks off the set-up list', async ({
  browser,
}) => {
  const mailbox = await aVisitor(browser)
  await mailbox.goto('/_mail')
  await mailbox.getByRole('textbox').fill(installed.mailboxSecret)
  await mailbox.keyboard.press('Enter')
  await expect(mailbox.getByRole('heading', { name: 'Mailbox' })).toBeVisible()

  const [stranger, dana] = [await aVisitor(browser), await aVisitor(browser)]
  await joinTeam(stranger, 'Stranger', mailbox)
  const setUp = (page: Page) => page.getByRole('heading', { name: 'Set up your team' })
  await expect(setUp(stranger)).toBeVisible()
  await stranger.getByLabel('Set-up code').fill('aaaa-bbbb-cccc')
  stranger.once('dialog', (dialog) => void dialog.accept())
  await stranger.getByRole('button', { name: 'Become admin' }).click()
  await expect(stranger.getByRole('alert').getByText(/That set-up code isn't right/)).toBeVisible()
  await expectAccessible(stranger)

  await joinTeam(dana, 'Dana', mailbox)
  await expect(setUp(dana)).toBeVisible()
  await dana.getByLabel('Set-up code').fill(installed.setUpCode.toUpperCase())
  await dana.getByRole('button', { name: 'Become admin' }).click()
  await expect(dana).toHaveURL(/\/home$/)
  const list = dana.getByRole('region', { name: 'Set up your team' })
  // Notifications work, and with two people somebody was invited.
  await expect(list.getByText('2 of 10 done')).toBeVisible()
  await expectAccessible(dana)
  // Who came first waits for the admin now, and the code is worth nothing any more.
  await expect(stranger.getByRole('heading', { name: "You're almost in" })).toBeVisible()

  await list.getByRole('link', { name: /^Write the welcome/ }).click()
  await dana.getByRole('button', { name: /^Add/ }).first().click()
  await dana.getByRole('dialog').getByLabel('Title').fill('Welcome to the team')
  await dana.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(dana.getByText('Welcome to the team')).toBeVisible()
  await dana.goto('/admin')
  await expect(list.getByText('3 of 10 done')).toBeVisible()
  await list.getByRole('link', { name: /^Confirm the time zone/ }).click()
  await dana.getByRole('button', { name: /^Yes, it's / }).click()
  await expect(dana.getByRole('button', { name: /^Yes, it's / })).toHaveCount(0)
  await dana.goto('/admin')
  await list.getByRole('button', { name: 'Hide this list' }).click()
  await expect(list).toHaveCount(0)
  await dana.getByRole('button', { name: /^Show the set-up list/ }).click()
  await expect(list).toBeFocused()
  await expect(list).toBeInViewport()
  await dana.goto('/home')
  await expect(list.getByText('4 of 10 done')).toBeVisible()
  await list.getByRole('button', { name: /^Show all/ }).click()
  await expect(list.getByRole('link', { name: /^Write the welcome ?: done/ })).toBeVisible()
})
