import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { signIn } from './support/sign-in.ts'

test('an admin finds who changed what, with before and after, and downloads it', async ({
  page,
}) => {
  const [admin, rep] = await Promise.all([
    aMember({ role: 'admin', firstName: 'Audrey', lastName: 'Keeper' }),
    aMember({ firstName: 'Waldo', lastName: 'Watched' }),
  ])
  await admin.client
    .from('users')
    .update({ can_send_messages: false })
    .eq('id', rep.id)
    .throwOnError()
  await admin.client
    .from('home_content')
    .insert({ title: `=Formula ${rep.id}`, description: 'Hello' })
    .throwOnError()

  await signIn(page, admin, '/admin')
  await page.getByRole('link', { name: /^Audit Log/ }).click()
  const words = page.getByRole('searchbox', { name: 'Search names and changes' })
  await words.fill('waldo watched')
  const change = page.getByRole('button', {
    name: /Audrey Keeper turned off “Can Send Messages” for Waldo Watched/,
  })
  await expect(page.getByRole('heading', { name: 'Today' })).toBeVisible()
  await change.click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText('Before')).toBeVisible()
  await expect(sheet.getByText('Off', { exact: true })).toBeVisible()
  await expect(sheet.getByText(admin.email)).toBeVisible()
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Show changes by Audrey Keeper' }).click()
  await words.fill('')
  await expect(page).toHaveURL(new RegExp(`by=${admin.id}`))
  await expect(page.getByRole('button', { name: /added “=Formula/ })).toBeVisible()
  await page.getByLabel('Show').selectOption('content')
  await expect(change).toBeHidden()
  await page.reload()
  await expect(page.getByLabel('Show')).toHaveValue('content')

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as CSV' }).click()
  const download = await saved
  expect(download.suggestedFilename()).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/)
  const csv = await readFile(await download.path(), 'utf8')
  expect(csv.trim().split('\r\n')).toHaveLength(2)
  expect(csv).toContain(`Audrey Keeper added “=Formula ${rep.id}” to Home Screen`)
  // All times are those of the reader.
  const zone = await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone)
  expect(csv).toContain(`Time (${zone}),`)
  expect(csv).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,Audrey Keeper,/m)

  await page.getByLabel('Show').selectOption('message')
  await expect(page.getByText('Nothing found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL(/\/admin\/audit$/)
})

test('an admin says who brought a member in, who sees it in their profile', async ({
  page,
  browser,
}) => {
  const [admin, sponsor, rep] = await Promise.all([
    aMember({ role: 'admin' }),
    aMember({ firstName: 'Spencer', lastName: 'Sponsor' }),
    aMember({ firstName: 'Rowan', lastName: 'Recruit' }),
  ])
  await signIn(page, admin, '/admin/members')
  await page.getByRole('searchbox', { name: 'Search name or email' }).fill('rowan recruit')
  await page.getByRole('button', { name: /Rowan Recruit/ }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Change who brought in Rowan' }).click()
  await sheet.getByRole('searchbox').fill('spencer spons')
  await expectAccessible(page)
  await sheet.getByRole('button', { name: /Spencer Sponsor/ }).click()
  await expect(sheet.getByText('Spencer Sponsor')).toBeVisible()
  await sheet.getByRole('link', { name: 'Show in the audit log' }).click()
  await expect(
    page.getByRole('button', { name: /made Spencer Sponsor the sponsor of Rowan Recruit/ }),
  ).toBeVisible()

  const phone = await (await browser.newContext()).newPage()
  await signIn(phone, rep, '/profile')
  await expect(phone.getByText('Spencer Sponsor')).toBeVisible()
  expect(sponsor.id).not.toBe(rep.id)
})
