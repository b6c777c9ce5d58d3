import { expect } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { turnOnTwoStep } from './support/authenticator.ts'
import { test } from './support/journey.ts'
import { aMember, type Member } from './support/members.ts'
import { fillLogin, pageOf, signIn } from './support/sign-in.ts'

/** The ids of the vice presidents. Journeys beside this one may add some of theirs. */
async function namedOnHome({ client }: Member): Promise<string[]> {
  const named = await client.rpc('vice_presidents').throwOnError()
  return (named.data as { id: string }[]).map(({ id }) => id)
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
  await sheet.getByRole('button', { name: 'Suspend' }).click()
  await sheet.getByRole('button', { name: 'Suspend' }).click()
  await expect(sheet.getByText('Please give a reason')).toBeVisible()
  await sheet.getByLabel('Reason').fill('On leave until spring')
  await sheet.getByRole('button', { name: 'Suspend' }).click()
  await expect(sheet.getByText('On leave until spring')).toBeVisible()

  await expect(phone.getByRole('button', { name: 'Login' })).toBeVisible()
  await expect(phone.getByText('Your account is suspended, or not part of')).toBeVisible()
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

test('an admin makes a member vice president and puts them in another order, with the keys', async ({
  page,
}) => {
  const [admin, rep] = await Promise.all([
    aMember({ role: 'admin' }),
    aMember({ firstName: 'Octavia', lastName: 'Rising' }),
  ])
  await signIn(page, admin, '/admin/members')
  await page.getByRole('searchbox', { name: 'Search name or email' }).fill('octavia')
  await page.getByRole('button', { name: /Octavia Rising/ }).click()
  const sheet = page.getByRole('dialog')
  const order = sheet.getByRole('button', { name: 'Order on Home' })
  await expect(sheet.getByText('Joined')).toBeVisible()
  await expect(order).toHaveCount(0)
  const vicePresident = sheet.getByText('Vice president, named on Home')
  await vicePresident.click()
  await order.click()
  const handle = sheet.getByRole('button', { name: 'Move Octavia Rising' })
  await expect(handle).toBeVisible()
  await expectAccessible(page)
  const [first = '', ...others] = await namedOnHome(rep)
  expect(others).toContain(rep.id)
  // Of two admins who move somebody at the same moment, the later one's order counts.
  await expect(async () => {
    for (const _ of others) await handle.press('ArrowUp')
    await expect(handle).toBeFocused()
    const named = await namedOnHome(rep)
    expect(named.indexOf(rep.id)).toBeLessThan(named.indexOf(first))
  }).toPass()
  await page.keyboard.press('Escape')
  await expect(order).toBeVisible()
  await vicePresident.click()
  await expect(order).toHaveCount(0)
  await expect.poll(() => namedOnHome(rep)).not.toContain(rep.id)
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
