import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { alertsOf } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { signIn } from './support/sign-in.ts'

test.use({ serviceWorkers: 'allow' })

type Answer = {
  /** The address opened, if the route's path alone is not one. */
  at?: string
  /** What the member reads. */
  says: string | RegExp
  alerts?: string[]
}

const COPY = /^You're offline. Last updated .+\.$/
const CHATS = "You're offline. This is your chat list as of your last visit."
const NOT_OPENED_YET =
  "You haven't opened this on this device yet. Connect to the internet to see it."
const NEEDS_CONNECTION = 'Connect to the internet to see this.'
const noContent = ['Error loading content: You are offline.']
const noUsers = ['Error loading users: You are offline.']

/** Opened by address right after signing in on Home, which reads ahead for the bottom bar. */
const ANSWERS: Record<string, Answer[]> = {
  '/create-account': [{ says: 'Verify Account' }],
  '/join/:token': [{ at: '/join/any', says: NEEDS_CONNECTION }],
  '/email-verify': [{ says: 'Check Your Email' }],
  '/forgot-password': [{ says: 'Send Reset Link' }],
  '/new-password': [{ says: 'Save New Password' }],
  '/house-rules': [{ says: NEEDS_CONNECTION }],
  '/': [{ says: COPY }],
  '/home': [{ says: COPY }],
  '/newrepstart': [{ says: COPY }],
  '/training': [
    { says: 'Setting appointments' },
    {
      at: '/training?category=Investments',
      says: NOT_OPENED_YET,
      alerts: [`Error loading content: ${NOT_OPENED_YET}`],
    },
  ],
  '/schedule': [{ says: COPY }],
  '/licensing': [{ says: NOT_OPENED_YET, alerts: [`Error loading licenses: ${NOT_OPENED_YET}`] }],
  '/calculator': [{ says: 'What is your position?' }],
  '/people': [{ says: NEEDS_CONNECTION }],
  '/notifications': [
    { says: NOT_OPENED_YET },
    { at: '/notifications?tab=settings', says: NEEDS_CONNECTION },
  ],
  '/chat': [{ says: CHATS }],
  '/chat/create': [{ says: NEEDS_CONNECTION, alerts: noUsers }],
  '/chat/:chatId': [
    {
      at: '/chat/00000000-0000-4000-8000-000000000000',
      says: CHATS,
      alerts: [`Error loading chat: ${NOT_OPENED_YET}`],
    },
  ],
  '/profile': [{ says: COPY }],
  '/profile/reports': [{ says: NEEDS_CONNECTION }],
  '/profile/blocked': [{ says: NOT_OPENED_YET }],
  '/supervision/*': [{ at: '/supervision', says: NEEDS_CONNECTION }],
  '/admin': [{ says: NEEDS_CONNECTION }],
  '/admin/invite': [{ says: NEEDS_CONNECTION }],
  '/admin/invitations': [{ says: NEEDS_CONNECTION }],
  '/admin/audit': [{ says: NEEDS_CONNECTION }],
  '/admin/records': [{ says: NEEDS_CONNECTION }],
  '/admin/settings': [{ says: NEEDS_CONNECTION }],
  '/admin/system': [{ says: NOT_OPENED_YET }],
  '/admin/links': [{ says: NEEDS_CONNECTION }],
  '/admin/members': [{ says: NEEDS_CONNECTION }],
  '/admin-manage': [
    ...['home', 'training', 'newrepstart', 'licensing', 'schedule'].map((type) => ({
      at: `/admin-manage?type=${type}`,
      says: NEEDS_CONNECTION,
      alerts: noContent,
    })),
    { at: '/admin-manage?type=chat', says: NEEDS_CONNECTION, alerts: noUsers },
    { at: '/admin-manage?type=notifications', says: NEEDS_CONNECTION },
  ],
  '*': [{ at: '/no-such-place', says: 'Page not found' }],
}

test('every route has an answer offline', () => {
  expect(Object.keys(ANSWERS).sort()).toEqual(routePaths().sort())
})

for (const area of ['member', 'admin']) {
  test(`offline, every ${area} screen opened by its address gives the same answer, once`, async ({
    page,
    context,
  }) => {
    const alerts = alertsOf(page)
    await signIn(page, await aMember({ role: 'admin' }))
    await page.evaluate(() => navigator.serviceWorker.ready)
    await readAhead(page)
    await context.setOffline(true)

    for (const [path, answers] of Object.entries(ANSWERS)) {
      if (path.startsWith('/admin') !== (area === 'admin')) continue
      for (const { at = path, says, alerts: expected = [] } of answers) {
        alerts.length = 0
        await page.goto(at)
        await expect(page.getByText(says).first(), at).toBeVisible()
        await expect(page.locator('.animate-pulse'), at).toHaveCount(0)
        // One answer, not one for each part of the screen.
        const needsConnection = says === NEEDS_CONNECTION || says === NOT_OPENED_YET
        const title = page.getByRole('heading', { name: "You're offline" })
        await expect(title, at).toHaveCount(needsConnection ? 1 : 0)
        const strip = page.locator('#main + [role=status]')
        const isMembers = await page.locator('#main').isVisible()
        await expect(strip, at).toHaveText(isMembers ? ["You're offline"] : [])
        await expect(page.getByText(/Something went wrong|fetch/), at).toHaveCount(0)
        expect(alerts, at).toEqual(expected)
      }
    }
  })
}

test('what was opened offline loads by itself once there is a connection', async ({
  page,
  context,
}) => {
  alertsOf(page)
  await signIn(page, await aMember({ role: 'admin' }))
  await page.evaluate(() => navigator.serviceWorker.ready)
  const places = ['/chat/create', '/notifications?tab=settings', '/admin/members', '/admin/invite']
  for (const path of places) {
    await context.setOffline(true)
    await page.goto(path)
    await expect(page.getByText(NEEDS_CONNECTION), path).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByRole('heading', { name: "You're offline" }), path).toHaveCount(0)
  }
})

/** The paths in the tables of routes. */
function routePaths(): string[] {
  const areas = ['admin', 'profile']
  const paths = pathsIn('routes', /\{ path: '([^']+)', access/g)
  const below = areas.flatMap((area) =>
    pathsIn(`${area}-routes`, /^ {2}(?:''|(\w+)): /gm).map((path) =>
      path ? `/${area}/${path}` : `/${area}`,
    ),
  )
  return [...paths.filter((path) => !areas.some((area) => path === `/${area}/*`)), ...below].filter(
    (path) => path !== '/_ui',
  )
}

function pathsIn(table: string, path: RegExp): string[] {
  const file = new URL(`../web/src/app/routing/${table}.tsx`, import.meta.url)
  return [...readFileSync(file, 'utf8').matchAll(path)].map(([, found = '']) => found)
}

/** Home, the schedule and the chats are read while Home is open. */
async function readAhead(page: Page) {
  await expect(page.getByText('Next meeting').first()).toBeVisible()
  await page.waitForLoadState('networkidle')
}
