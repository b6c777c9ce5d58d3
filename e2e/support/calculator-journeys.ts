import { expect, type Page } from '@playwright/test'
import { expectAccessible, motionOver } from './accessibility.ts'
import {
  answer,
  expectColdGoldenValues,
  expectLine,
  expectSalesGoldenValues,
  results,
} from './calculator.ts'

/** From a cash goal to today's activity: saved, logged with two taps, and visible on Home. */
export async function productJourney(page: Page) {
  await page.goto('/calculator')
  await expect(page.getByRole('heading', { name: 'What is your position?' })).toBeVisible()
  await expectAccessible(page)
  await answer(page, /^Representative/, /^Product \(Sales\)/, /^Cash/)
  await page.getByLabel('I want to earn').fill('3,000')
  await expectSalesGoldenValues(page)
  await expectAccessible(page)

  await page.reload()
  await expectSalesGoldenValues(page)

  const comparison = page.getByRole('table', { name: 'The same goal as District Leader' })
  await expect(comparison.getByRole('row', { name: /^Appointments/ })).toContainText('27')
  await page.getByText('What these numbers assume').click()
  await expect(page.getByText('Premium: $800 per sale.')).toBeVisible()

  await page.getByRole('button', { name: 'Save as my goal' }).click()
  await expect(page.getByText('This is your goal')).toBeVisible()

  await page.goto('/home')
  await page.getByRole('button', { name: 'Log activity' }).click()
  const logAppointment = page.getByRole('button', { name: /^Log one: Appointments/ })
  const logSale = page.getByRole('button', { name: /^Log one: Sales/ })
  const places = async () => [await logAppointment.boundingBox(), await logSale.boundingBox()]
  // The sheet rises into its place.
  await expect(logSale).toBeVisible()
  await motionOver(page)
  const before = await places()
  await logSale.click()
  await expect(page.getByText('Added 1 to Sales')).toBeVisible()
  // A button that moves makes the second of two quick taps another one's.
  expect(await places()).toEqual(before)
  await page.getByRole('button', { name: 'Undo' }).click()
  await logAppointment.click()
  await expect(page.getByText('Added 1 to Appointments')).toBeVisible()
  expect(await places()).toEqual(before)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('Appointments: 1 of 13')).toBeAttached()
}

/** Recruiting numbers of both markets, the inverse, and the way back. */
export async function buildingJourney(page: Page) {
  await page.goto('/calculator')
  await answer(page, /^Regional VP/, /^Building \(Recruiting\)/, /^Cold market/)
  await page.getByLabel('Interviews I schedule').fill('100')
  await expectColdGoldenValues(page)
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Back to Solve For' }).click()
  await page.getByRole('link', { name: /^Warm market/ }).click()
  await expect(page.getByLabel('Interviews I schedule')).toHaveValue('')
  await page.getByLabel('Interviews I schedule').fill('100')
  await expectLine(page, 'Recruits', ['13', '3', '1'])
  await expectLine(page, 'Future district leaders', ['1.3', '0.3', '0.1'])

  await page.getByRole('link', { name: 'Back to Focus' }).click()
  await page.getByRole('link', { name: /^Building/ }).click()
  await page.getByRole('link', { name: /^Recruits, warm market/ }).click()
  await page.getByLabel('Recruits I want').fill('1')
  await page.getByText('Week', { exact: true }).first().click()
  await expectLine(page, 'Scheduled interviews', ['30', '8', '2'])

  await page.getByRole('link', { name: 'Back to Position' }).click()
  await expect(page.getByText('What is your position?')).toBeVisible()
  await page.reload()
  await expect(page.getByText('What is your position?')).toBeVisible()
  // The next visit begins after the remembered position.
  await page.goto('/home')
  await page.goto('/calculator')
  await expect(page.getByText('What do you want to focus on?')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back to Position: Regional VP' })).toBeVisible()
}

/** Blank, negative, text and huge input never give a table. */
export async function rejectedInput(page: Page) {
  await page.goto('/calculator?position=representative&focus=product&solve=premium&per=week')
  const field = page.getByLabel('Premium I want to write')
  for (const [typed, said] of [
    ['-5', 'Enter zero or a positive number.'],
    ['lots', 'Enter a number, for example 3,000.'],
    ['99999999999', 'Enter a number up to 10,000,000.'],
    ['', 'Enter a number to see your month, week and day.'],
  ] as const) {
    await field.fill(typed)
    await expect(page.getByText(said)).toBeVisible()
    await expect(results(page)).toHaveCount(0)
  }
  await field.fill('0')
  await expectLine(page, 'Cash', ['$0', '$0', '$0'])
}

/** The whole wizard with the keyboard: Tab, Enter and the arrow keys. */
export async function keyboardJourney(page: Page) {
  await page.goto('/calculator')
  const choose = async (name: RegExp) => {
    const link = page.getByRole('link', { name })
    await expect(link).toBeVisible()
    await tabTo(page, name)
    await page.keyboard.press('Enter')
  }
  await choose(/^Representative/)
  await expect(page.getByRole('heading', { name: 'What do you want to focus on?' })).toBeFocused()
  await choose(/^Product/)
  await choose(/^Cash/)
  await expect(page.getByLabel('I want to earn')).toBeFocused()
  await page.keyboard.type('750')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  await expectSalesGoldenValues(page)
  await tabTo(page, /Save as my goal/)
  await page.keyboard.press('Enter')
  await expect(page.getByText('This is your goal')).toBeVisible()
  await tabTo(page, /^Log activity/)
  await page.keyboard.press('Enter')
  await tabTo(page, /^Log one: Sales/)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Added 1 to Sales')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Sales: 1 of 5')).toBeAttached()
}

async function tabTo(page: Page, name: RegExp) {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const { activeElement } = document
      return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? ''
    })
    if (name.test(focused.trim())) return
  }
  throw new Error(`Tab never reached ${name}`)
}
