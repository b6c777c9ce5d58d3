import type { Page } from '@playwright/test'

/**
 * Screenshots are taken at the start of this week in New York, where the demo team is, so that the greeting,
 * the next meeting and a goal's pace are always the same. Never in the future, where sessions would have
 * expired, and before the demo team's content was made, which is therefore new.
 */
export async function freezeClock(page: Page): Promise<void> {
  const startedAt = Number(process.env.E2E_STARTED_AT)
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(startedAt)
  const monday = new Date(`${today}T05:05:00Z`)
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7))
  await page.clock.setFixedTime(Math.min(monday.getTime(), startedAt))
}
