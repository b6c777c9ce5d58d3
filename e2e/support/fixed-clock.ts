import type { Page } from '@playwright/test'

/**
 * Pictures are taken at the first minutes of this week in New York, where the demo team is: the greeting, the next
 * meeting and the pace of a goal are the same whenever they are compared. Never in the future, where sessions would have ended.
 */
export async function stopTheClock(page: Page): Promise<void> {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format()
  const monday = new Date(`${today}T05:05:00Z`)
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7))
  await page.clock.setFixedTime(Math.min(monday.getTime(), Date.now()))
}
