import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { anItem, aTitle } from './support/content.ts'
import { test } from './support/journey.ts'
import {
  chooseFromMenu,
  expectFocusKept,
  expectFocusOnARow,
  pressOn,
  tabTo,
  typeInto,
} from './support/keyboard.ts'
import { aMember } from './support/members.ts'
import { signIn } from './support/sign-in.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test.beforeEach(async ({ page }) => signIn(page, await aMember({ role: 'admin' })))

test('an item is added, moved, edited, deleted and restored with the keyboard alone', async ({
  page,
}) => {
  const category = 'Second appointment'
  const [first, second] = [aTitle('First'), aTitle('Second')]
  await anItem('training', { title: first, category, sort_order: 700 })
  await page.goto('/admin')
  await pressOn(page, page.getByRole('link', { name: 'Training Content' }))
  await expect(page.getByRole('heading', { level: 1, name: 'Training Content' })).toBeFocused()
  const add = button(page, 'Add item')
  await pressOn(page, add)
  const dialog = page.getByRole('dialog')
  await typeInto(page, dialog.getByLabel('Title'), second)
  await tabTo(page, dialog.getByLabel('Category'))
  await page.keyboard.type(category)
  await typeInto(page, dialog.getByLabel('Sort order'), '701')
  await pressOn(page, dialog.getByRole('button', { name: 'Save' }))
  await expect(dialog).toHaveCount(0)
  await expect(add).toBeFocused()

  await tabTo(page, page.getByRole('searchbox', { name: 'Search' }))
  await tabTo(page, page.getByLabel('Category'))
  await page.keyboard.type(category)
  const handle = button(page, `Move ${second}`)
  await tabTo(page, handle)
  await page.keyboard.press('ArrowUp')
  await expect(page.getByText(new RegExp(`^${second} is now`))).toBeAttached()
  await expect(handle).toBeFocused()

  await pressOn(page, button(page, `Edit ${second}`))
  await typeInto(page, dialog.getByLabel('Title'), `${second} edited`)
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(button(page, `Edit ${second} edited`)).toBeFocused()
  await expectAccessible(page)

  await pressOn(page, button(page, `Delete ${second} edited`))
  await pressOn(page, page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }))
  await expect(button(page, `Delete ${second} edited`)).toHaveCount(0)
  await expectFocusOnARow(page)

  await page.getByLabel('Show', { exact: true }).focus()
  await page.keyboard.type('Deleted')
  await pressOn(page, button(page, `Restore ${second} edited`))
  await expect(button(page, `Restore ${second} edited`)).toHaveCount(0)
  await expectFocusKept(page)
})

test('permissions are switched and a notice is written with the keyboard alone', async ({
  page,
}) => {
  const member = await aMember({ firstName: 'Quinn' })
  await page.goto('/admin-manage?type=chat')
  await typeInto(page, page.getByLabel('Search members'), member.email)
  const create = page.getByRole('switch', { name: 'Can Create Chats: Quinn Tester' })
  await pressOn(page, create, 'Space')
  await expect(create).not.toBeChecked()
  await expect(create).toBeFocused()
  const options = button(page, 'Options for Quinn Tester')
  await tabTo(page, options)
  await chooseFromMenu(page, 'Make admin')
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(options).toBeFocused()

  const title = aTitle('New rooms')
  await page.goto('/admin-manage?type=notifications')
  const write = button(page, 'Write a notice')
  await pressOn(page, write)
  const dialog = page.getByRole('dialog')
  await typeInto(page, dialog.getByLabel('Title'), title)
  await typeInto(page, dialog.getByLabel('Text', { exact: true }), 'We meet upstairs.')
  await tabTo(page, dialog.getByLabel('To', { exact: true }))
  await page.keyboard.type('Selected')
  await typeInto(page, dialog.getByLabel('Find members'), member.email)
  const found = dialog.getByRole('checkbox', { name: 'Quinn Tester' })
  await expect(dialog.getByRole('list').getByRole('listitem')).toHaveCount(1)
  await expectAccessible(page)
  await pressOn(page, found, 'Space')
  await pressOn(page, dialog.getByRole('button', { name: 'Send now' }))
  await pressOn(page, page.getByRole('alertdialog').getByRole('button', { name: 'Send now' }))
  await expect(dialog).toHaveCount(0)
  await expect(write).toBeFocused()

  await pressOn(page, button(page, `Withdraw ${title}`))
  await pressOn(page, page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }))
  await expect(button(page, `Withdraw ${title}`)).toHaveCount(0)
  await expectFocusOnARow(page)
})
