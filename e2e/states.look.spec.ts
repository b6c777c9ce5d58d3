import { randomUUID } from 'node:crypto'
import { expect, test, type Page } from '@playwright/test'
import { expectAccessible, expectReadableColours } from './support/accessibility.ts'
import { aChat, say } from './support/chats.ts'
import { expectSoundLayout } from './support/layout-facts.ts'
import { settled } from './support/look-at.ts'
import { aMember } from './support/members.ts'
import { expectPicture } from './support/picture.ts'
import { signIn } from './support/sign-in.ts'

const PHONE = { width: 412, height: 915 }
const NARROW = { width: 320, height: 640 }
const MAYA = { email: 'maya.ortiz@example.com', password: 'rally-demo' }

const LISTS = [
  ['chat', '/chat'],
  ['training', '/training?category=Investments'],
  ['licensing', '/licensing'],
  ['new-rep-start', '/newrepstart'],
  ['schedule', '/schedule'],
  ['notifications', '/notifications'],
] as const

test.beforeEach(async ({ page }) => {
  test.setTimeout(120_000)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

test('names and words of any length fit', async ({ page }) => {
  const firstName = 'Maximiliana-Alexandrina'
  const lastName = 'Wolkenbruch-Featherstonehaugh'
  const long = await aMember({ firstName, lastName })
  const other = await aMember({ firstName: 'Wilhelmina-Theodora', lastName })
  const name = 'The Regional Vice Presidents’ Quarterly Planning C'
  const { id } = await aChat(long, [other, await aMember()], { name })
  await say(other, id, `${'Donaudampfschifffahrt'.repeat(6)} ${randomUUID()}`)
  await aChat(long, [other])
  await signIn(page, long)
  await look(page, 'long-home', '/home')
  await look(page, 'long-chat', '/chat')
  await look(page, 'long-thread', `/chat/${id}`)
  await look(page, 'long-profile', '/profile')
})

test('an empty screen says so and offers a next step', async ({ page }) => {
  await signIn(page, await aMember())
  await page.route(/\/rest\/v1\/(\w+_content|team_notices|rpc\/(chat_list|my_\w+))/, (route) =>
    route.fulfill({ json: [] }),
  )
  for (const [name, path] of LISTS) {
    await look(page, `empty-${name}`, path)
    await expect(page.locator('main').getByRole('link').last()).toBeVisible()
  }
})

test('a screen that cannot load says so and offers to try again', async ({ page }) => {
  await signIn(page, await aMember())
  page.on('dialog', (dialog) => void dialog.accept())
  await page.route(/\/rest\/v1\/(\w+_content|team_notices|rpc\/)/, (route) =>
    route.fulfill({ status: 503, json: { message: 'The service is not available' } }),
  )
  for (const [name, path] of LISTS) {
    await look(page, `error-${name}`, path)
    await expect(page.getByRole('button', { name: 'Try again' }).first()).toBeVisible()
  }
})

test.describe('in Spanish', () => {
  test.use({ locale: 'es-US' })

  test('everything fits', async ({ page }) => {
    await page.goto('/')
    await settled(page)
    await expectSoundLayout(page, 'es-login')
    await expectPicture(page, 'es-login')
    await page.addInitScript(`globalThis.busyMinimumMs = 0`)
    await page.goto('/')
    await page.locator('input[type=email]').fill(MAYA.email)
    await page.locator('input[type=password]').fill(MAYA.password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/home$/)
    for (const [name, path] of [
      ['home', '/home'],
      ['calculator', '/calculator'],
      ...LISTS,
    ] as const)
      await look(page, `es-${name}`, path)
    await look(page, 'es-profile', '/profile')
  })
})

async function look(page: Page, name: string, path: string) {
  await page.setViewportSize(PHONE)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(path)
  await settled(page)
  await expectReadableColours(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await expectPicture(page, name)
  await expectAccessible(page)
  for (const size of [PHONE, NARROW]) {
    await page.setViewportSize(size)
    await expectSoundLayout(page, name)
  }
}
