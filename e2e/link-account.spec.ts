import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { test } from './support/journey.ts'
import { linkFor } from './support/mailbox.ts'
import { aMember, type Member } from './support/members.ts'
import { serverUrl } from './support/server.ts'
import { signIn } from './support/sign-in.ts'

async function linkOf({ client }: Member, path: string): Promise<string> {
  const { data } = await client.auth.getSession()
  const { access_token = '', refresh_token = '' } = data.session ?? {}
  const session = { access_token, refresh_token, expires_in: '3600', token_type: 'bearer' }
  return `${serverUrl()}${path}#${new URLSearchParams({ ...session, type: 'magiclink' })}`
}

const question = (page: Page) => page.getByRole('alertdialog')

test('a link of another account asks before it replaces who is signed in, and staying is the default', async ({
  page,
  context,
}) => {
  const [member, stranger] = [await aMember(), await aMember({ firstName: 'Mallory' })]
  await signIn(page, member)
  const tab = await context.newPage()
  await tab.goto(await linkOf(stranger, '/profile'))
  await expect(question(tab)).toContainText(member.email)
  await expect(question(tab)).toContainText(stranger.email)
  await expectAccessible(tab)
  expect(new URL(tab.url()).hash).toBe('')
  await expect(tab.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await tab.keyboard.press('Enter')
  await expect(question(tab)).toBeHidden()
  await expect(tab.getByText(member.email)).toBeVisible()

  const other = await context.newPage()
  await other.goto(await linkOf(stranger, '/profile'))
  await question(other).getByRole('button', { name: 'Switch account' }).click()
  await expect(other.getByText(stranger.email)).toBeVisible()
  await expect(question(other)).toBeHidden()
})

test('declining a link of another account leaves the screen it opened: nothing was verified or reset here', async ({
  page,
  context,
}) => {
  const [member, stranger] = [await aMember(), await aMember({ firstName: 'Mallory' })]
  await signIn(page, member)
  for (const path of ['/email-verify', '/new-password']) {
    const tab = await context.newPage()
    await tab.goto(await linkOf(stranger, path))
    await question(tab).getByRole('button', { name: 'Cancel' }).click()
    await expect(tab).toHaveURL(/\/home$/)
    await tab.close()
  }
})

test('Cancel on the reset link of another account keeps who is signed in and both passwords', async ({
  page,
  browser,
}) => {
  const [member, other] = [await aMember(), await aMember({ firstName: 'Faye' })]
  await signIn(page, member)
  await other.client.auth.resetPasswordForEmail(other.email, {
    redirectTo: `${serverUrl()}/new-password`,
  })
  await page.goto(await linkFor(other.email))
  await expect(question(page)).toContainText(other.email)
  await question(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/home$/)
  await page.goto('/profile')
  await expect(page.getByText(member.email)).toBeVisible()
  for (const { email, password } of [member, other])
    await signIn(await (await browser.newContext()).newPage(), { email, password })
})

test('with nobody signed in, a link to a page that no mail leads to asks as well', async ({
  page,
}) => {
  const stranger = await aMember({ firstName: 'Mallory' })
  await page.goto(await linkOf(stranger, '/home'))
  await expect(question(page)).toContainText(stranger.email)
  await question(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
})
