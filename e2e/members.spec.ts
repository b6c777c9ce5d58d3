import { expect } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { turnOnTwoStep } from './support/authenticator.ts'
import { test } from './support/journey.ts'
import { aMember, type Member } from './support/members.ts'
import { fillLogin, pageOf, signIn } from './support/sign-in.ts'

async function namedOnHome({ client }: Member): Promise<string[]> {
  const named = await client.rpc('vice_presidents').throwOnError()
  return (named.data as { first_name: string }[]).map((person) => person.first_name)
}

test('an admin suspends a member, whose open app leaves at once, and readmits them', async ({
  page,
  browser,
}) => {
  const [admin, rep] = await Promise.all([
    aMember({ role: 'admin' }),
    aMember({ firstName: 'Rosalind', lastName: 'Leaving' }),
  ])
  const phone = await pageOf(browser, rep, '/chat')
  await expect(phone.getByRole('heading', { level: 1 })).toBeVisible()

  await signIn(page, admin, '/admin')
  await page.getByRole('link', { name: /^Members/ }).click()
  await page.getByRole('searchbox', { name: 'Search name or email' }).fill('rosalind leav')
  await page.getByRole('button', { name: /Rosalind Leaving/ }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText('Joined')).toBeVisible()
  await expectAccessible(page)
  const vicePresident = sheet.getByText('Vice president, named on Home')
  await vicePresident.click()
  await expect.poll(async () => (await namedOnHome(rep)).includes('Rosalind')).toBe(true)
  await vicePresident.click()
  await expect.poll(async () => (await namedOnHome(rep)).includes('Rosalind')).toBe(false)
  await sheet.getByRole('button', { name: 'Suspend' }).click()
  await sheet.getByRole('button', { name: 'Suspend' }).click()
  await expect(sheet.getByText('Please give a reason')).toBeVisible()
  await sheet.getByLabel('Reason').fill('On leave until spring')
  await sheet.getByRole('button', { name: 'Suspend' }).click()
  await expect(sheet.getByText('On leave until spring')).toBeVisible()

  await expect(phone.getByRole('button', { name: 'Login' })).toBeVisible()
  await expect(phone.getByText('Your account is suspended, or no longer part of')).toBeVisible()
  expect((await rep.client.from('users').select('id')).status).toBe(401)
  const again = { email: rep.email, password: rep.password }
  expect((await rep.client.auth.signInWithPassword(again)).error?.code).toBe('user_banned')

  await sheet.getByRole('button', { name: 'Readmit' }).click()
  await expect(sheet.getByRole('button', { name: 'Suspend' })).toBeVisible()
  expect((await rep.client.auth.signInWithPassword(again)).error).toBeNull()
  await page.goBack()
  await expect(sheet).toBeHidden()
  await expect(page.getByRole('button', { name: /Rosalind Leaving/ })).toBeVisible()
})

test('members are filtered, and one’s own sheet offers no way out', async ({ page }) => {
  const admin = await aMember({ role: 'admin', firstName: 'Wilhelmina', lastName: 'Own' })
  await signIn(page, admin, '/admin/members')
  await page.getByLabel('Show').selectOption('admins')
  await page.getByRole('searchbox', { name: 'Search name or email' }).fill('wilhelmina')
  await page.getByRole('button', { name: /Wilhelmina Own/ }).click()
  await expect(page.getByRole('dialog').getByText('This is you.')).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Remove' })).toBeHidden()
  await page.keyboard.press('Escape')
  await page.getByLabel('Show').selectOption('removed')
  await expect(page.getByText('No member matches this search.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all active members' }).click()
  await expect(page.getByLabel('Show')).toHaveValue('active')
})

test('an admin resets two-step verification of a member who lost the phone', async ({
  page,
  browser,
}) => {
  const [admin, rep] = await Promise.all([
    aMember({ role: 'admin' }),
    aMember({ firstName: 'Philippa', lastName: 'Phoneless' }),
  ])
  const phone = await pageOf(browser, rep)
  await turnOnTwoStep(phone)
  await signIn(page, admin, '/admin/members')
  await page.getByRole('searchbox', { name: 'Search name or email' }).fill('philippa')
  await page.getByRole('button', { name: /Philippa Phoneless/ }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Reset two-step verification' }).click()
  await expectAccessible(page)
  const reset = sheet.getByRole('button', { name: 'Reset two-step verification' })
  await reset.click()
  await expect(sheet.getByText('Please give a reason')).toBeVisible()
  await sheet.getByLabel('Reason').fill('Phone lost at sea, called me')
  await reset.dblclick()
  await expect(page.getByText('Two-step verification was reset.')).toBeVisible()
  await expect(sheet.getByText('Two-step verification')).toBeVisible()
  await expect(reset).toHaveCount(0)
  await expect(phone.getByRole('button', { name: 'Login' })).toBeVisible()
  await fillLogin(phone, rep)
  await expect(phone.getByRole('navigation').getByRole('link', { name: 'Home' })).toBeVisible()
})
