// How soon a phone with a slow CPU draws what a tap or a key asks for, while messages stream into the open team chat: the browser's
// own measure (Event Timing), as in "interaction to next paint". Prints a table for README.md. ROUNDS for another length.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { PASSWORD, slowDown, startDemoBrowser } from './demo-browser.ts'
import { fillTeam, memberId } from './monday-team.ts'

const MEMBERS = 50
const SLOWDOWN = 4
const MESSAGE_EVERY_MS = 250
const ROUNDS = Number(process.env.ROUNDS ?? 5)
const WORDS = 'See you all at nine, bring the list'

type Interaction = { id: number; ms: number; inputMs: number; handlersMs: number }

const demo = await startDemoBrowser()
const measured = new Map<string, Interaction[]>()
let isOver = false
try {
  const { team } = await fillTeam(demo.database, MEMBERS, 'http://127.0.0.1:1')
  const page = await demo.phoneOf('maya.ortiz@example.com')
  await page.goto(`${demo.url}/chat/${team}`)
  await page.getByRole('log').getByRole('article').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.evaluate(`window.interactions = []
    new PerformanceObserver((list) => {
      for (const { interactionId: id, duration: ms, startTime, processingStart, processingEnd } of list.getEntries())
        if (id) interactions.push({ id, ms, inputMs: processingStart - startTime, handlersMs: processingEnd - processingStart })
    }).observe({ type: 'event', durationThreshold: 16, buffered: false })`)
  await slowDown(page, SLOWDOWN)
  await pressAndType(page, ' in peace')
  const stream = streamInto(team)
  await pressAndType(page, ', 4 messages a second')
  isOver = true
  await stream
  report()
} finally {
  isOver = true
  await demo.stop()
}

async function pressAndType(page: Page, when: string) {
  const composer = page.getByRole('textbox', { name: 'Message' })
  for (let round = 0; round < ROUNDS; round++) {
    await composer.tap()
    await during(page, `Typing${when}`, () => page.keyboard.type(WORDS, { delay: 80 }))
    await during(page, `Sending${when}`, () => page.getByRole('button', { name: 'Send' }).tap())
    await wait(500)
    await during(page, `To the chat list${when}`, () =>
      page.getByRole('link', { name: 'Back to chats' }).tap(),
    )
    await during(page, `Opening the chat${when}`, () =>
      page.locator('main a[href^="/chat/"]:has(time)').first().tap(),
    )
    await page.getByRole('log').getByRole('article').first().waitFor()
  }
}

async function during(page: Page, what: string, work: () => Promise<unknown>) {
  const before = await page.evaluate<number>('interactions.length')
  await work()
  // Entries arrive after the frame in which the interaction was drawn.
  await wait(1_000)
  const entries = await page.evaluate<Interaction[]>(`interactions.slice(${before})`)
  const longest = new Map<number, Interaction>()
  for (const entry of entries)
    if (entry.ms >= (longest.get(entry.id)?.ms ?? 0)) longest.set(entry.id, entry)
  measured.set(what, [...(measured.get(what) ?? []), ...longest.values()])
}

/** Other members write, one after the other. */
async function streamInto(team: string) {
  const tokens = await Promise.all(Array.from({ length: 5 }, (_, n) => tokenOf(n)))
  for (let n = 0; !isOver; n++) {
    const author = n % tokens.length
    const message = `Number ${n}: who takes the call at ${9 + (n % 8)}? ${'One more word. '.repeat(n % 6)}`
    const response = await fetch(`${demo.url}/rest/v1/chat_messages`, {
      method: 'POST',
      headers: {
        ...{ apikey: demo.key, authorization: `Bearer ${tokens[author]}` },
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        ...{ id: randomUUID(), chat_id: team, sender_id: memberId(author), message },
      }),
    })
    if (!response.ok) throw new Error(await response.text())
    await wait(MESSAGE_EVERY_MS)
  }
}

async function tokenOf(n: number): Promise<string> {
  const response = await fetch(`${demo.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: demo.key, 'content-type': 'application/json' },
    body: JSON.stringify({ email: `m${n}@example.com`, password: PASSWORD }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

function report() {
  console.log(
    '| What, 4 × slowdown | Interactions above 16 ms | Median ms | Longest ms | of it until its handlers | in them |',
  )
  console.log('| --- | ---: | ---: | ---: | ---: | ---: |')
  for (const [what, entries] of measured) {
    const sorted = entries.toSorted((one, other) => one.ms - other.ms)
    const longest = sorted.at(-1)
    const cells = [
      ...[what, sorted.length, sorted[Math.floor(sorted.length / 2)]?.ms ?? '', longest?.ms ?? ''],
      ...[longest?.inputMs.toFixed(0) ?? '', longest?.handlersMs.toFixed(0) ?? ''],
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}
