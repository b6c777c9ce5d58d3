import { expect, type Locator, type Page } from '@playwright/test'

/** Answers the wizard's three questions by name. */
export async function answer(page: Page, position: RegExp, focus: RegExp, metric: RegExp) {
  await page.getByRole('link', { name: position }).click()
  await page.getByRole('link', { name: focus }).click()
  await page.getByRole('link', { name: metric }).click()
}

export function results(page: Page): Locator {
  return page.getByRole('table', { name: 'Results' })
}

/** One line of the results: month (4 weeks), week, day. */
export async function expectLine(page: Page, stage: string, figures: string[]) {
  const line = results(page).getByRole('row', { name: new RegExp(`^${stage} `) })
  await expect(line.getByRole('cell')).toHaveText(figures)
}

export async function expectSalesGoldenValues(page: Page) {
  await expectLine(page, 'Appointments', ['53', '13', '3'])
  await expectLine(page, 'Plans', ['33', '8', '2'])
  await expectLine(page, 'Sales', ['20', '5', '1'])
  await expectLine(page, 'Premium', ['$16,000', '$4,000', '$800'])
  await expectLine(page, 'Cash', ['$3,000', '$750', '$150'])
  await expect(page.getByRole('img', { name: /funnel/i })).toHaveAccessibleName(
    /Appointments: 53, Plans: 33, Sales: 20, Premium: \$16,000, Cash: \$3,000/,
  )
}

export async function expectColdGoldenValues(page: Page) {
  await expectLine(page, 'Scheduled interviews', ['100', '25', '5'])
  await expectLine(page, 'Shows', ['33', '8', '2'])
  await expectLine(page, 'Intros/follow-ups', ['22', '5', '1'])
  await expectLine(page, 'Recruits', ['7', '2', '1 every 3 days'])
  await expectLine(page, 'Future district leaders', ['0.7', '0.2', '1 every 28 days'])
}
