import { buildingJourney, productJourney, rejectedInput } from './support/calculator-journeys.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { signIn } from './support/sign-in.ts'

test.beforeEach(async ({ page }) => signIn(page, await aMember()))

test('a cash goal becomes appointments, is saved and logged against with two taps', async ({
  page,
}) => productJourney(page))

test('a recruiting goal works in both markets and backwards', async ({ page }) =>
  buildingJourney(page))

test('input that is not a number gives no results', async ({ page }) => rejectedInput(page))
