import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aPicture, aTitle, openNewItem, save } from './support/content.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { pageOf } from './support/sign-in.ts'

type Fill = (page: Page) => Promise<void>

const times: Fill = async (page) => {
  await page.getByLabel('Day', { exact: true }).selectOption('Friday')
  await page.getByLabel('Start time').fill('18:00')
  await page.getByLabel('End time').fill('19:30')
  await page.getByLabel('Meeting ID').fill('845 000 111')
}

const nothingMore: Fill = async () => {}

const types: { type: string; seenAt: string; under: string; fill: Fill }[] = [
  { type: 'home', seenAt: '/home', under: '', fill: nothingMore },
  {
    type: 'training',
    seenAt: '/training?category=Investments',
    under: 'Investments',
    fill: async (page) => {
      await page.getByRole('dialog').getByLabel('Category').selectOption('Investments')
    },
  },
  { type: 'newrepstart', seenAt: '/newrepstart', under: 'New Rep Start', fill: nothingMore },
  {
    type: 'licensing',
    seenAt: '/licensing?tab=securities',
    under: 'Securities license',
    fill: async (page) => {
      await page.getByRole('dialog').getByLabel('Category').selectOption('Securities license')
    },
  },
  { type: 'schedule', seenAt: '/schedule', under: 'Friday', fill: times },
]

for (const { type, seenAt, under, fill } of types) {
  test(`an admin publishes a ${type} item with a picture, and a member sees it without reloading`, async ({
    browser,
  }) => {
    const [admin, member] = await Promise.all([aMember({ role: 'admin' }), aMember()])
    const [adminsPage, membersPage] = await Promise.all([
      pageOf(browser, admin),
      pageOf(browser, member),
    ])
    await membersPage.goto(seenAt)
    await expect(membersPage.getByRole('heading', { level: 1 })).toBeVisible()

    const title = aTitle('Published')
    await openNewItem(adminsPage, type)
    await adminsPage.getByLabel('Title').fill(title)
    await adminsPage.getByLabel('URL').fill('https://example.com/resource')
    await fill(adminsPage)
    await adminsPage.locator('input[type=file]').setInputFiles({
      name: 'red.png',
      mimeType: 'image/png',
      buffer: await aPicture(adminsPage),
    })
    await adminsPage.getByLabel('Image description').fill('A red square')
    await expect(adminsPage.getByRole('img', { name: 'Preview' })).toBeVisible()
    await expectAccessible(adminsPage)
    await save(adminsPage)
    await expect(adminsPage.getByText('Saved')).toBeVisible()

    await expect(membersPage.getByRole('heading', { name: title })).toBeVisible()
    const picture = membersPage.getByRole('img', { name: 'A red square' }).last()
    await picture.scrollIntoViewIfNeeded()
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBe(1600)
    await membersPage.getByRole('button', { name: 'Open image: A red square' }).last().click()
    const viewer = membersPage.getByRole('dialog', { name: 'A red square' })
    await viewer.getByRole('button', { name: 'Zoom in' }).click()
    await expectAccessible(membersPage)
    await viewer.getByRole('button', { name: 'Close' }).click()
    if (under) await expect(membersPage.getByText(under).first()).toBeVisible()
    await expectAccessible(membersPage)

    // Leave the shared team as it was.
    await adminsPage.getByRole('button', { name: `Delete ${title}` }).click()
    await expect(adminsPage.getByText(`Members will no longer see "${title}"`)).toBeVisible()
    await adminsPage.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(membersPage.getByRole('heading', { name: title })).toHaveCount(0)
  })
}
