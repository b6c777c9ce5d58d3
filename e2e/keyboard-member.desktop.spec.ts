import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { anItem, aTitle } from './support/content.ts'
import { test } from './support/journey.ts'
import { expectFocusKept, expectFocusOnARow, pressOn, tabTo, typeInto } from './support/keyboard.ts'
import { aMember, PASSWORD, serviceClient } from './support/members.ts'
import { publish } from './support/notices.ts'
import { signIn } from './support/sign-in.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const link = (page: Page, name: string) => page.getByRole('link', { name })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('reading, checking off, copying and logging need no pointer', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const step = aTitle('Meet your trainer')
  await anItem('newrepstart', { title: step, sort_order: 900 })
  await signIn(page, await aMember())
  await pressOn(page, page.getByRole('navigation').getByRole('link', { name: 'Training' }))
  await expect(title(page, 'Training')).toBeVisible()
  await pressOn(page, link(page, 'Setting appointments'))
  await expect(title(page, 'Setting appointments')).toBeFocused()
  await expect(page).toHaveTitle('Setting appointments · Rally')
  await tabTo(page, page.getByRole('link', { name: /^Open Resource/ }).first())
  await page.goBack()
  await expect(title(page, 'Training')).toBeFocused()

  await page.goto('/newrepstart')
  const tick = page.getByRole('checkbox', { name: `Done: ${step}` })
  await pressOn(page, tick, 'Space')
  await expect(page.getByRole('status').filter({ hasText: /^1 of/ })).toBeVisible()
  await expect(tick).toBeFocused()

  await page.goto('/schedule')
  const copy = button(page, 'Copy Meeting ID').first()
  await pressOn(page, copy)
  await expect(page.getByRole('status').filter({ hasText: 'Meeting ID copied' })).toBeVisible()
  await expect(copy).toBeFocused()

  await page.goto('/calculator?position=representative&focus=product&solve=cash&value=3000')
  await pressOn(page, button(page, 'Save as my goal'))
  await expect(page.getByText('This is your goal')).toBeVisible()
  await expectFocusKept(page)
  await pressOn(page, button(page, 'Log activity'))
  await pressOn(page, page.getByRole('button', { name: /^Log one: Appointments/ }))
  await pressOn(page, button(page, 'Undo'))
  await expect(button(page, 'Undo')).toHaveCount(0)
  await expect(
    page
      .getByRole('dialog')
      .getByRole('button', { name: /^Log one/ })
      .first(),
  ).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(button(page, 'Log activity')).toBeFocused()
})

test('a notice is acknowledged and notification settings are changed without a pointer', async ({
  page,
}) => {
  const ana = await aMember()
  await publish({ client: await serviceClient() }, aTitle('New rooms'), ana)
  await signIn(page, ana, '/notifications')
  await pressOn(page, button(page, 'Acknowledge'))
  await expect(page.getByText('Acknowledged')).toBeVisible()
  await expectAccessible(page)
  await expectFocusOnARow(page)

  await page.getByRole('tab', { name: 'Inbox' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Settings' })).toBeFocused()
  const quiet = page.getByRole('switch', { name: 'No push during quiet hours' })
  await pressOn(page, quiet, 'Space')
  await expect(page.getByLabel('From', { exact: true })).toBeVisible()
  await expect(quiet).toBeFocused()
  await tabTo(page, page.getByRole('switch', { name: 'Allow mentions' }))
})

test('name, password and language are changed without a pointer', async ({ page }) => {
  await signIn(page, await aMember(), '/profile')
  await pressOn(page, button(page, 'Change name'))
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await typeInto(page, dialog.getByLabel('First Name'), 'Casandra')
  await pressOn(page, dialog.getByRole('button', { name: 'Save' }))
  await expect(page.getByRole('status').filter({ hasText: 'Name saved.' })).toBeVisible()
  await expect(button(page, 'Change name')).toBeFocused()

  await pressOn(page, button(page, 'Change password'))
  await typeInto(page, dialog.getByLabel('Current Password', { exact: true }), 'a guess')
  await typeInto(page, dialog.getByLabel('New Password', { exact: true }), 'another-password')
  await typeInto(
    page,
    dialog.getByLabel('Confirm New Password', { exact: true }),
    'another-password',
  )
  page.once('dialog', (alert) => void alert.accept())
  await pressOn(page, dialog.getByRole('button', { name: 'Save' }))
  await expect(dialog.getByRole('alert')).toContainText("That password isn't correct")
  await expectAccessible(page)
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeFocused()
  await dialog.getByLabel('Current Password', { exact: true }).focus()
  await typeInto(page, dialog.getByLabel('Current Password', { exact: true }), PASSWORD)
  await page.keyboard.press('Enter')
  await expect(button(page, 'Change password')).toBeFocused()

  await tabTo(page, page.getByRole('radio', { name: 'English' }))
  await page.keyboard.press('ArrowRight')
  await expect(title(page, 'Perfil')).toBeFocused()
})
