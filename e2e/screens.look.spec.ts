import { test } from '@playwright/test'
import { DANA } from './support/demo-team.ts'
import { freezeClock } from './support/fixed-clock.ts'
import { watchShifts } from './support/layout-facts.ts'
import { lookAt } from './support/look-at.ts'
import {
  ADMIN_SCREENS,
  CHAT_SCREENS,
  GUEST_SCREENS,
  MEMBER_SCREENS,
  OWN_SCREENS,
  type Look,
} from './support/screens.ts'
import { signIn } from './support/sign-in.ts'

const GROUPS: Record<string, Look[]> = {
  'a member’s screens': MEMBER_SCREENS,
  'chat and profile': [...CHAT_SCREENS, ...OWN_SCREENS],
  'the admin’s screens': ADMIN_SCREENS,
}

test.beforeEach(async ({ page }) => {
  test.setTimeout(300_000)
  await freezeClock(page)
  await watchShifts(page)
})

test('account screens have a sound layout, reading order and accessibility, at every size and in both themes', async ({
  page,
}) => {
  for (const look of GUEST_SCREENS) await lookAt(page, look)
})

for (const [group, looks] of Object.entries(GROUPS)) {
  test(`${group} have a sound layout, reading order and accessibility, at every size and in both themes`, async ({
    page,
  }) => {
    await signIn(page, DANA)
    for (const look of looks) await lookAt(page, look)
  })
}
