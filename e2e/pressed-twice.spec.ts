import { expect, type Locator, type Page } from '@playwright/test'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { pageOf } from './support/sign-in.ts'

async function centerOf(target: Locator) {
  const { x, y, width, height } = (await target.boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}

/** As quick as a finger, also on a slow machine: the times are said, not measured. */
async function tapTwice(page: Page, target: Locator) {
  const touchPoints = [await centerOf(target)]
  const device = await page.context().newCDPSession(page)
  const began = Date.now() / 1000
  const send = (type: 'touchStart' | 'touchEnd', after: number) =>
    device.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchStart' ? touchPoints : [],
      timestamp: began + after,
    })
  for (const after of [0, 0.2]) {
    await send('touchStart', after)
    await send('touchEnd', after + 0.05)
  }
}

test('pressing twice what closes a sheet presses nothing behind it', async ({ browser }) => {
  const page = await pageOf(browser, await aMember(), '/people')
  const sheet = page.getByRole('dialog', { name: 'Filter people' })
  const done = sheet.getByRole('button', { name: 'Done' })
  const more = page.getByRole('button', { name: 'More', exact: true })
  const ways = [() => tapTwice(page, done), () => done.dblclick()]
  for (const pressTwice of ways) {
    const behind = (await more.boundingBox())!
    await page.getByRole('button', { name: 'Filter people' }).click()
    // Once it has risen.
    await done.click({ trial: true })
    const { x, y } = await centerOf(done)
    expect([x > behind.x, y > behind.y]).toEqual([true, true])
    await pressTwice()
    await expect(sheet).toBeHidden()
    await expect(more).toHaveAttribute('aria-expanded', 'false')
  }
  await more.click()
  await expect(page.getByRole('link', { name: 'Profile' })).toBeVisible()
})

test('an Enter key held down opens a menu and chooses nothing in it', async ({ browser }) => {
  const page = await pageOf(browser, await aMember(), '/chat')
  await page.getByRole('button', { name: 'More', exact: true }).focus()
  for (let times = 0; times < 4; times += 1) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await expect(page.getByRole('link', { name: 'Profile' })).toBeVisible()
  await expect(page).toHaveURL(/\/chat$/)
})
