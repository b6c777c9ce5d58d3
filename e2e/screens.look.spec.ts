import { expect, type Page } from '@playwright/test'
import { invited, membership, withSecondFactor } from './support/arranged.ts'
import { DANA, MAYA } from './support/demo-team.ts'
import { freezeClock } from './support/fixed-clock.ts'
import { test } from './support/journey.ts'
import { watchShifts } from './support/layout-facts.ts'
import { lookAt } from './support/look-at.ts'
import {
  ADMIN_SCREENS,
  CHAT_SCREENS,
  CODE_SCREENS,
  GUEST_SCREENS,
  INVITED_SCREENS,
  MEMBER_SCREENS,
  OWN_SCREENS,
  TWO_STEP_SCREENS,
  WAITING_SCREENS,
  type Look,
} from './support/screens.ts'
import { fillLogin, signIn } from './support/sign-in.ts'
import { SUPERVISION_SCREENS } from './support/supervision-screens.ts'

const GROUPS: Record<string, Look[]> = {
  'a member’s screens': MEMBER_SCREENS,
  'chat and profile': [...CHAT_SCREENS, ...OWN_SCREENS],
  'the admin’s screens': ADMIN_SCREENS,
  'the supervisor’s screens': SUPERVISION_SCREENS,
}

/** A screen takes three seconds at all its sizes; nothing here is about time. */
const A_SCREEN_MS = 60_000

test.beforeEach(async ({ page }) => {
  await freezeClock(page)
  await watchShifts(page)
})

test('account screens have a sound layout, reading order and accessibility, at every size and in both themes', async ({
  page,
}) => {
  await lookAtAll(page, GUEST_SCREENS)
})

for (const [group, looks] of Object.entries(GROUPS)) {
  test(`${group} have a sound layout, reading order and accessibility, at every size and in both themes`, async ({
    page,
  }) => {
    await signIn(page, DANA)
    await lookAtAll(page, looks)
  })
}

for (const [who, arrange, looks] of [
  // Who was on the team before would be let through.
  ['who is not on the team yet', membership({}), WAITING_SCREENS],
  ['who opened an invitation', invited, INVITED_SCREENS],
  ['who owes the code of two-step verification', withSecondFactor, CODE_SCREENS],
] as const) {
  test(`so have the screens of somebody ${who}`, async ({ page }) => {
    await arrange(page)
    await page.addInitScript('globalThis.busyMinimumMs = 0')
    await page.goto('/')
    await fillLogin(page, MAYA)
    await expect(page).toHaveURL(/waiting|create-account|home/)
    await lookAtAll(page, looks)
  })
}

test('so have the sheets of two-step verification', async ({ page }) => {
  await signIn(page, MAYA)
  await lookAtAll(page, TWO_STEP_SCREENS)
})

async function lookAtAll(page: Page, looks: readonly Look[]) {
  test.setTimeout(looks.length * A_SCREEN_MS)
  for (const look of looks) await lookAt(page, look)
}
