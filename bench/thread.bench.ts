// A chat of 100,000 messages on a phone: how long it takes to open, how it scrolls, and what it keeps in memory. MESSAGES, PASSED
// and ROUNDS for another size. Prints a table for README.md.
import type { CDPSession, Page } from '@playwright/test'
import { median, slowDown, startDemoBrowser, timeOfTap } from './demo-browser.ts'
import { fillTeam } from './monday-team.ts'

const MESSAGES = Number(process.env.MESSAGES ?? 100_000)
/** Scrolled past. */
const PASSED = Number(process.env.PASSED ?? 5_000)
const ROUNDS = Number(process.env.ROUNDS ?? 5)
const MEMBERS = 50
const SLOWDOWN = 4
/** Of a wheel, between two looks at how far it got. */
const TURNS = 20
const TURN_PX = 250
const LONG_FRAME_MS = 50
const READER = 'maya.ortiz@example.com'

const demo = await startDemoBrowser()
try {
  const team = await fill()
  const page = await demo.phoneOf(READER)
  const session = await page.context().newCDPSession(page)
  console.log('| What | Measured |\n| --- | ---: |')
  note('Opened', `${(await opened(page, team)).toFixed(0)} ms`)
  await scroll(page, session)
  await slowDown(page, SLOWDOWN)
  note(`Opened, ${SLOWDOWN} × slowdown`, `${(await opened(page, team)).toFixed(0)} ms`)
} finally {
  await demo.stop()
}

function note(what: string, measured: string) {
  console.log(`| ${what} | ${measured} |`)
}

/** A message every five minutes; all but the reader's mark is as the product would have stored it. */
async function fill(): Promise<string> {
  const { team } = await fillTeam(demo.database, MEMBERS, 'http://127.0.0.1:1')
  await demo.database.query('set session_replication_role = replica')
  await demo.database.query(
    `insert into public.chat_messages (chat_id, sender_id, message, sent_at)
     select $1, ('00000000-0000-4000-8000-' || lpad((n / 3 % ${MEMBERS})::text, 12, '0'))::uuid,
       'Number ' || n || ' about the calls of the day' || repeat(', and who takes the next one', n % 4),
       now() - make_interval(mins => 5 * (${MESSAGES} - n))
     from generate_series(1, ${MESSAGES}) n`,
    [team],
  )
  await demo.database.query('update private.chat_participants set last_read_at = now()')
  await demo.database.query('reset session_replication_role')
  await demo.database.query('select private.find_far_back(array(select id from public.chats))')
  await demo.database.query('vacuum analyze')
  return team
}

/** The app is there and has shown another thread, but nothing of this one. */
async function opened(page: Page, team: string): Promise<number> {
  const took: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto(`${demo.url}/chat`)
    await page.locator(`main a[href^="/chat/"]:has(time):not([href="/chat/${team}"])`).first().tap()
    await page.locator('[role=log] article').first().waitFor()
    await page.getByRole('link', { name: 'Back to chats' }).tap()
    const card = `main a[href="/chat/${team}"]`
    await page.locator(card).waitFor()
    await page.waitForLoadState('networkidle')
    took.push(await timeOfTap(page, card, `document.querySelector('[role=log] article')`))
  }
  return median(took)
}

/** Up through the history, as fast as it loads. */
async function scroll(page: Page, session: CDPSession) {
  note('Heap, opened', await memoryOf(session))
  await page.mouse.move(200, 400)
  await page.evaluate(`window.frames = []
    const frame = (before) => requestAnimationFrame((now) => (frames.push(now - before), frame(now)))
    requestAnimationFrame(frame)`)
  const started = performance.now()
  let oldest = MESSAGES
  for (let stop = 1; stop <= 5; stop++) {
    while (oldest > MESSAGES - (PASSED * stop) / 5) {
      for (let turn = 0; turn < TURNS; turn++) await page.mouse.wheel(0, -TURN_PX)
      oldest = await topmost(page)
    }
    note(`Heap, ${MESSAGES - oldest} messages further up`, await memoryOf(session))
  }
  const seconds = (performance.now() - started) / 1000
  const frames = await page.evaluate<number[]>('window.frames')
  frames.sort((one, other) => one - other)
  const long = frames.filter((ms) => ms > LONG_FRAME_MS)
  note('Scrolled past a second', `${(PASSED / seconds).toFixed(0)} messages`)
  note('Frames: median, 95 %, longest', [0.5, 0.95, 1].map((part) => at(frames, part)).join(', '))
  note(`Frames above ${LONG_FRAME_MS} ms`, `${long.length} of ${frames.length}`)
}

function at(sorted: readonly number[], part: number): string {
  return `${(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN).toFixed(0)} ms`
}

/** The number of the first message that is drawn; rows that are not measured yet are drawn invisibly. */
async function topmost(page: Page): Promise<number> {
  const first = page.locator('[role=log] article', { hasText: /Number \d+/ }).first()
  return Number(/Number (\d+)/.exec((await first.textContent()) ?? '')?.[1])
}

async function memoryOf(session: CDPSession): Promise<string> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes } = await session.send('Memory.getDOMCounters')
  return `${(usedSize / 1e6).toFixed(1)} MB, ${nodes} nodes`
}
