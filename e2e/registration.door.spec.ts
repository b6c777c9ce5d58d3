import { randomUUID } from 'node:crypto'
import { expect, type Browser, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { test } from './support/journey.ts'
import { linkFor } from './support/mailbox.ts'
import { aMember, PASSWORD, serviceClient, type Member } from './support/members.ts'
import { asksOneByOne } from './support/one-by-one.ts'
import { signIn } from './support/sign-in.ts'

// Each changes the rules for everybody.
test.describe.configure({ mode: 'serial' })

let admin: Member
test.beforeEach(async () => {
  await setRules('open')
  admin = await aMember({ role: 'admin', firstName: 'Dora', lastName: 'Keeper' })
})

async function setRules(registration: string, email_domains: string[] = []) {
  const service = await serviceClient()
  await service
    .from('team_settings')
    .update({ registration, email_domains })
    .eq('id', true)
    .throwOnError()
}

const addressOf = (firstName: string) =>
  `${firstName}.${randomUUID().slice(0, 8)}@example.com`.toLowerCase()

/** Signs up and confirms the address. */
async function signUp(
  browser: Browser,
  firstName: string,
  email = addressOf(firstName),
): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.addInitScript('globalThis.busyMinimumMs = 0')
  await page.goto('/create-account')
  await page.getByLabel('First Name').fill(firstName)
  await page.getByLabel('Last Name').fill('Newcomer')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Verify Account' }).click()
  await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeVisible()
  await page.goto(await linkFor(email))
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  // The link has logged this browser in.
  await expect(page).toHaveURL(/\/(waiting|home)$/)
  return page
}

const waits = (page: Page) =>
  expect(page.getByRole('heading', { name: "You're almost in" })).toBeVisible()

test('an admin closes the door; a newcomer waits, is approved on the admin’s phone, and is let in without a reload', async ({
  page,
  browser,
}) => {
  await signIn(page, admin, '/admin/settings')
  const rule = page.getByLabel('Who can join')
  await expect(rule).toHaveValue('open')
  await rule.selectOption('approval')
  const question = page.getByRole('alertdialog')
  await expect(question.getByText(/waits until an admin approves/)).toBeVisible()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(rule).toHaveValue('open')
  await rule.selectOption('approval')
  await question.getByRole('button', { name: 'Change' }).click()
  await expect(page.getByText('Saved')).toBeVisible()
  await expect(page.getByText(/^Changed by Dora Keeper/).first()).toBeVisible()
  await expectAccessible(page)

  const phone = await signUp(browser, 'Nadia')
  await waits(phone)
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page.getByRole('link', { name: /Waiting for approval 1/ })).toBeVisible()
  await page.goto('/notifications')
  await page.getByRole('link', { name: 'Open Nadia Newcomer' }).click()
  await expect(page).toHaveURL(/\/admin\/members\?filter=waiting$/)
  const approve = page.getByRole('button', { name: 'Approve Nadia Newcomer' })
  // The screen before stays until the next one has loaded.
  await expect(approve).toBeVisible()
  await expectAccessible(page)
  await approve.click()
  await expect(page.getByText('Nadia Newcomer is on the team')).toBeVisible()
  await expect(phone.getByRole('heading', { name: /Nadia/ })).toBeVisible()
  await expect(phone).toHaveURL(/\/home$/)
  await expect(page.getByText(/Nobody is waiting/)).toBeVisible()
})

test('a wrong tap is taken back: who was let in or declined waits again', async ({
  page,
  browser,
}) => {
  await setRules('approval')
  const email = addressOf('Ulla')
  const phone = await signUp(browser, 'Ulla', email)
  await waits(phone)
  await signIn(page, admin, '/admin/members?filter=waiting')
  const row = page.getByRole('button', { name: /^Ulla Newcomer/ })
  await page.getByRole('button', { name: 'Approve Ulla Newcomer' }).click()
  await expect(phone).toHaveURL(/\/home$/)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toBeVisible()
  await expect(phone.getByRole('button', { name: 'Login' })).toBeVisible()

  await row.click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText('Asked to join')).toBeVisible()
  await sheet.getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByText('Ulla Newcomer was declined')).toBeVisible()
  await expect(row).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(row).toBeVisible()

  // Later, without the toast.
  await row.click()
  await sheet.getByRole('button', { name: 'Decline' }).click()
  await page.getByLabel('Show').selectOption('declined')
  await expect(page.getByRole('listitem').filter({ hasText: 'Ulla Newcomer' })).toContainText(
    'Declined',
  )
  await row.click()
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Approve' }).click()
  await expect(sheet).toBeHidden()
  await page.getByLabel('Show').selectOption('new')
  await row.click()
  await sheet.getByRole('button', { name: 'Back to waiting' }).click()
  await page.getByLabel('Show').selectOption('waiting')
  await page.getByRole('button', { name: 'Decline Ulla Newcomer' }).click()
  await page.getByLabel('Show').selectOption('declined')
  await row.click()
  await sheet.getByRole('button', { name: 'Back to waiting' }).click()
  await expect(sheet).toBeHidden()
  await page.getByLabel('Show').selectOption('waiting')
  await expect(row).toBeVisible()

  // They were signed out on the waiting page; once let in, they see Home and not that page again.
  await phone.getByLabel('Email').fill(email)
  await phone.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await phone.getByRole('button', { name: 'Login' }).click()
  await waits(phone)
  await page.getByRole('button', { name: 'Approve Ulla Newcomer' }).click()
  await expect(phone).toHaveURL(/\/home$/)
})

test('two admins decide at once: the second one learns it', async ({ page, browser }) => {
  await setRules('approval')
  const phone = await signUp(browser, 'Vera')
  await waits(phone)
  await asksOneByOne(page)
  await signIn(page, admin, '/admin/members?filter=waiting')
  const approve = page.getByRole('button', { name: 'Approve Vera Newcomer' })
  await expect(approve).toBeVisible()
  const response = await admin.client.rpc('list_members', { filter: 'waiting' }).throwOnError()
  const waiting = response.data as { id: string; first_name: string }[]
  // The other admin's decision has not reached this screen yet.
  await page.route('**/rpc/list_members', (route) => route.fulfill({ json: waiting }))
  const vera = waiting.find(({ first_name }) => first_name === 'Vera')
  await admin.client
    .rpc('set_member_status', { member_id: vera?.id, status: 'declined' })
    .throwOnError()
  const message = new Promise<string>((resolve) => {
    page.once('dialog', (dialog) => {
      resolve(dialog.message())
      void dialog.accept()
    })
  })
  await approve.click()
  expect(await message).toContain('Another admin has decided meanwhile')
  await page.unroute('**/rpc/list_members')
  await page.reload()
  await expect(approve).toBeHidden()
  // The open waiting screen says so.
  await expect(phone.getByText(/did not let you in/)).toBeVisible({ timeout: 20_000 })
})

test('only addresses of the team’s domains sign up', async ({ page, browser }) => {
  await signIn(page, admin, '/admin/settings')
  const domains = page.getByLabel('Email domains').and(page.getByRole('textbox'))
  await domains.fill('agency')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('Enter a domain, such as example.com')).toBeVisible()
  await domains.fill('Jane@Agency.Example')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Remove agency.example' })).toBeVisible()
  await expect(domains).toHaveValue('')
  await expectAccessible(page)

  const stranger = await (await browser.newContext()).newPage()
  await stranger.addInitScript('globalThis.busyMinimumMs = 0')
  await stranger.goto('/create-account')
  await stranger.getByLabel('First Name').fill('Otto')
  await stranger.getByLabel('Email').fill(`otto.${randomUUID()}@elsewhere.example`)
  await stranger.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await stranger.getByLabel('Confirm Password', { exact: true }).fill(PASSWORD)
  await stranger.getByRole('button', { name: 'Verify Account' }).click()
  await expect(stranger.getByText(/Only addresses of the team's own domains/)).toBeVisible()

  await page.getByRole('button', { name: 'Remove agency.example' }).click()
  await expect(page.getByRole('button', { name: 'Remove agency.example' })).toBeHidden()
})
