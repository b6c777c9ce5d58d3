// A leader opens the progress of 5,000 members on a phone with a CPU slowed four times, searches, and sees a step being ticked.
// MEMBERS and ROUNDS for another size. Prints a table for README.md.
import { expect, type Page } from '@playwright/test'
import { median, slowDown, startDemoBrowser, timeOfTap } from './demo-browser.ts'
import { fillTeam } from './monday-team.ts'

const MEMBERS = Number(process.env.MEMBERS ?? 5_000)
const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SLOWDOWN = 4

const demo = await startDemoBrowser()
try {
  await fillTeam(demo.database, MEMBERS, 'http://127.0.0.1:1')
  await demo.database.query(`insert into public.onboarding_progress (user_id, item_id)
    select m.id, i.id from private.members m, public.newrepstart_content i
    where i.is_active and hashtext(m.id::text || i.id::text) % 2 = 0 on conflict do nothing`)
  const page = await demo.phoneOf('dana.reyes@example.com')
  await slowDown(page, SLOWDOWN)
  const opened: number[] = []
  for (let round = 0; round < ROUNDS; round++) opened.push(await open(page))
  const searched = await timeOfSearch(page)
  console.log('| What | ms |\n| --- | ---: |')
  console.log(`| From the tap on Progress to the rows | ${median(opened).toFixed(0)} |`)
  console.log(`| From the last letter of a search to what it found | ${searched.toFixed(0)} |`)
  console.log(`| From a tick stored to its row | ${(await timeOfTick(page)).toFixed(0)} |`)
} finally {
  await demo.stop()
}

/** Loads the page, so that nothing is cached. */
async function open(page: Page): Promise<number> {
  await page.goto(`${demo.url}/admin-manage?type=newrepstart`)
  const tab = 'main >> text=Progress'
  await page.locator(tab).first().waitFor()
  await page.waitForLoadState('networkidle')
  return timeOfTap(page, tab, `document.querySelector('main li progress')`)
}

async function timeOfSearch(page: Page): Promise<number> {
  const started = performance.now()
  await page.getByLabel('Search members').fill(`Member ${MEMBERS - 1}`)
  await expect(page.locator('main li progress')).toHaveCount(1)
  return performance.now() - started
}

/** One step of the one member whom the search found. */
async function timeOfTick(page: Page): Promise<number> {
  const row = page.locator('main li')
  const before = await row.innerText()
  const started = performance.now()
  await demo.database.query(
    `delete from public.onboarding_progress p using private.members m
     where m.id = p.user_id and m.last_name = $1`,
    [String(MEMBERS - 1)],
  )
  await expect(row).not.toHaveText(before, { useInnerText: true })
  return performance.now() - started
}
