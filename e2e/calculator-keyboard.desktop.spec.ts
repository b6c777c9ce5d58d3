import { keyboardJourney } from './support/calculator-journeys.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { signIn } from './support/sign-in.ts'

test('the calculator can be used with the keyboard alone', async ({ page }) => {
  await signIn(page, await aMember())
  await keyboardJourney(page)
})
