import { expect } from '@playwright/test'
import { MAYA } from './support/demo-team.ts'
import { freezeClock } from './support/fixed-clock.ts'
import { test } from './support/journey.ts'
import { expectSoundLayout } from './support/layout-facts.ts'
import { lookOnAPhone, settled } from './support/look-at.ts'
import { expectPicture } from './support/picture.ts'
import { asksOneByOne } from './support/one-by-one.ts'
import { signIn } from './support/sign-in.ts'

const LISTS = [
  ['chat', '/chat'],
  ['training', '/training?category=Investments'],
  ['licensing', '/licensing'],
  ['new-rep-start', '/newrepstart'],
  ['schedule', '/schedule'],
  ['notifications', '/notifications'],
] as const

test.beforeEach(async ({ page }) => {
  await freezeClock(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

test('an empty screen says so and offers a next step', async ({ page }) => {
  await asksOneByOne(page)
  await signIn(page, MAYA)
  await page.route(
    /\/rest\/v1\/(\w+_content|team_notices|rpc\/(chat_list|my_(?!membership)\w+))/,
    (route) => route.fulfill({ json: [] }),
  )
  for (const [name, path] of LISTS) {
    await lookOnAPhone(page, `empty-${name}`, path)
    await expect(page.locator('main').getByRole('link').last()).toBeVisible()
  }
})

test('a screen that cannot load says so and offers a retry', async ({ page }) => {
  // An alert of a screen that is just being left would end the way to the next.
  await page.addInitScript(() => (window.alert = () => undefined))
  await asksOneByOne(page)
  await signIn(page, MAYA)
  await page.route(/\/rest\/v1\/(\w+_content|team_notices|rpc\/(?!my_membership))/, (route) =>
    route.fulfill({ status: 503, json: { message: 'The service is not available' } }),
  )
  for (const [name, path] of LISTS) {
    await lookOnAPhone(page, `error-${name}`, path)
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
      await lookOnAPhone(page, `es-${name}`, path)
    await lookOnAPhone(page, 'es-profile', '/profile')
  })
})
