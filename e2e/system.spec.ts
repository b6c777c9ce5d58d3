import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { test } from './support/journey.ts'
import { aMember, serviceClient } from './support/members.ts'
import { asksOneByOne } from './support/one-by-one.ts'
import { signIn } from './support/sign-in.ts'

const GIB = 1024 ** 3

test('an admin reads which disk is full and what to do, until it is not any more', async ({
  page,
}) => {
  const [admin, server] = await Promise.all([aMember({ role: 'admin' }), serviceClient()])
  const host = `server-${randomUUID().slice(0, 8)}`
  const process_id = randomUUID()
  const report = async (free_bytes: number) => {
    const facts = { host, pid: 1, disks: { data: { free_bytes, bytes: 100 * GIB } } }
    const started_at = new Date().toISOString()
    await server.rpc('report_process', { process_id, started_at, facts }).throwOnError()
  }
  await report(4 * GIB)
  await signIn(page, admin, '/admin')
  await expect(
    page.getByRole('link', { name: /^Something is wrong with the server .*Disk/ }),
  ).toBeVisible()
  await page.getByRole('link', { name: /^System .*\d+ problems?$/ }).click()
  await expect(page.getByRole('heading', { name: /^\d+ problems?$/ })).toBeVisible()
  const card = page.getByRole('listitem').filter({ hasText: host })
  await expect(card).toContainText('96% full, 4 GB free.')
  await expect(card).toContainText('enlarge the disk of DATA_DIR')
  await expectAccessible(page)

  await report(60 * GIB)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(card).toHaveCount(0)
  await page.getByText(/things are fine$/).click()
  await expect(page.getByText(`Disk on ${host}`)).toBeVisible()
  await server.rpc('forget_process', { process_id }).throwOnError()
})

test('without a connection the page shows what it knew, and how old that is', async ({ page }) => {
  const admin = await aMember({ role: 'admin' })
  await signIn(page, admin, '/admin/system')
  await expect(page.getByText(/^Checked/)).toBeVisible()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText(/^You're offline\. Last updated/)).toBeVisible()
  await expect(page.getByText(/^Checked/)).toBeVisible()
})

test('a server that is gone is noticed without anybody asking', async ({ page }) => {
  await page.clock.install()
  const admin = await aMember({ role: 'admin' })
  await signIn(page, admin, '/admin/system')
  await expect(page.getByText(/^Checked/)).toBeVisible()
  await page.route('**/rest/v1/**', (route) => route.abort('connectionrefused'))
  await page.clock.runFor(16_000)
  await expect(page.getByText(/^The server isn't answering\. Last updated/)).toBeVisible()
})

test('a server that cannot respond is reported as such, with the way to try again', async ({
  page,
}) => {
  const admin = await aMember({ role: 'admin' })
  await signIn(page, admin)
  let isDown = true
  await asksOneByOne(page)
  await page.route('**/rest/v1/rpc/system_status', (route) =>
    isDown ? route.fulfill({ status: 400, json: { message: 'Not now' } }) : route.continue(),
  )
  await page.goto('/admin/system')
  await expect(page.getByText('Error loading the state of the system: Not now')).toBeVisible()
  isDown = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText(/^Checked/)).toBeVisible()
})

test('an error of the app on a member’s phone is on the admin’s page, without a word of it', async ({
  page,
  browser,
}) => {
  const [member, admin] = await Promise.all([aMember(), aMember({ role: 'admin' })])
  await signIn(page, member, '/calculator')
  // Alone, or in a batch with others.
  const reported = page.waitForResponse((response) =>
    `${response.url()} ${response.request().postData()}`.includes('report_app_error'),
  )
  await page.evaluate(() => {
    const failing = Object.assign(new RangeError('Policy 4711 of Ann'), {
      stack: `RangeError: Policy 4711 of Ann\n at draw (${location.origin}/assets/goal-X1.js:3:77)`,
    })
    // As the browser does for an error that nothing catches.
    dispatchEvent(new ErrorEvent('error', { error: failing }))
  })
  await reported
  const context = await browser.newContext()
  const office = await context.newPage()
  await signIn(office, admin, '/admin/system')
  await expect(office.getByText(/reported in the last day/)).toBeVisible()
  await office.getByText('Reported errors of the app').click()
  const line = office.getByRole('listitem').filter({ hasText: 'RangeError on /calculator' })
  await expect(line).toContainText('goal-X1.js:3:77')
  await expect(office.getByText('4711')).toHaveCount(0)
  await expectAccessible(office)

  const settings = await context.newPage()
  await settings.goto('/admin/settings')
  const collects = settings.getByText('Collect errors of the app')
  await collects.click()
  await office.reload()
  await expect(office.getByText("Errors on members' devices aren't collected.")).toBeVisible()
  await collects.click()
  await expect(settings.getByRole('switch', { name: 'Collect errors of the app' })).toBeChecked()
  await office.reload()
  await expect(office.getByText(/reported in the last day/)).toBeVisible()
  await context.close()
})
