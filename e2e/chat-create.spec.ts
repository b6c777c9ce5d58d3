import { expect } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, alertsOf, choose, composer, thread } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { asksOneByOne } from './support/one-by-one.ts'
import { pageOf } from './support/sign-in.ts'

test('a group is created once members, name and first message are given', async ({ browser }) => {
  const ana = await aMember({ firstName: 'Ana' })
  const ben = await aMember({ firstName: 'Ben', lastName: `B${Date.now()}` })
  const cleo = await aMember({ firstName: 'Cleo', lastName: `C${Date.now()}` })
  const page = await pageOf(browser, ana, '/chat')
  await page.getByRole('button', { name: 'Create a chat' }).click()
  const submit = page.getByRole('button', { name: 'Send & Create Chat' })
  await expect(submit).toBeDisabled()

  const alerts = alertsOf(page)
  for (const member of [ben, cleo]) await choose(page, member)
  await submit.click({ force: true })
  await page.getByLabel('First message').fill('Welcome, both of you')
  await expect(submit).toBeDisabled()
  await page.getByLabel('Group name').press('Enter')
  await expect
    .poll(() => alerts)
    .toEqual(['Please write a first message', 'Please enter a group name'])
  await page.getByLabel('Group name').fill('Saturday crew')
  await expect(page.getByText('13/50')).toBeVisible()
  await asksOneByOne(page)
  // Leaving by mistake loses nothing.
  await page.reload()
  await expect(page.getByLabel('Group name')).toHaveValue('Saturday crew')
  await expect(page.getByLabel('First message')).toHaveValue('Welcome, both of you')
  await expectAccessible(page)
  const failure = { status: 400, json: { message: 'No luck' } }
  await page.route('**/rpc/create_chat', (route) => route.fulfill(failure), { times: 1 })
  await submit.click()
  await expect.poll(() => alerts.at(-1)).toBe('Error creating chat: No luck')
  // Twice, as people do: it is created once.
  await submit.dblclick()

  await expect(page).toHaveURL(/\/chat\/[0-9a-f-]{36}$/)
  await expect(thread(page).getByText('Welcome, both of you')).toBeVisible()
  await expect(page.getByRole('heading', { name: /Saturday crew/ })).toContainText('3 members')
  await page.getByRole('link', { name: 'Back to chats' }).click()
  await expect(page.getByRole('link', { name: /Saturday crew/ })).toHaveCount(1)
  expect(alerts).toHaveLength(3)
})

test('a group name stops at 50 characters', async ({ browser }) => {
  const page = await pageOf(browser, await aMember(), '/chat/create')
  const boxes = page.getByRole('checkbox')
  await boxes.nth(0).check()
  await boxes.nth(1).check()
  await page.getByLabel('Group name').fill('x'.repeat(60))
  await expect(page.getByText('50/50')).toBeVisible()
})

test('the existing individual chat opens, instead of a duplicate', async ({ browser }) => {
  const [ana, ben] = [await aMember({ firstName: 'Ana' }), await aMember({ firstName: 'Ben' })]
  const { id } = await aChat(ben, [ana], { firstMessage: 'Hello Ana' })
  const page = await pageOf(browser, ana, '/chat/create')
  await choose(page, ben)
  await expect(page.getByLabel('Group name')).toHaveCount(0)
  await page.getByLabel('First message').fill('Hello again')
  await page.getByRole('button', { name: 'Send & Create Chat' }).click()
  await expect(page).toHaveURL(new RegExp(`/chat/${id}$`))
  await expect(thread(page).getByText('Hello Ana')).toBeVisible()
  await expect(thread(page).getByText('Hello again')).toHaveCount(1)
})

test('a member who may not create chats has no plus button and is redirected from the form', async ({
  browser,
}) => {
  const member = await aMember({ permissions: { can_create_chats: false } })
  const page = await pageOf(browser, member, '/chat')
  await expect(page.getByRole('link', { name: /Rally Chat/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create a chat' })).toHaveCount(0)

  const alerts = alertsOf(page)
  await page.goto('/chat/create')
  await expect(page).toHaveURL(/\/chat$/)
  expect(alerts).toEqual(['You do not have permission to create chats.'])
  await expect(composer(page)).toHaveCount(0)
})

test('the picker lists a team of 10,000 without rendering all of it', async ({ browser }) => {
  const page = await pageOf(browser, await aMember())
  await asksOneByOne(page)
  // large-team.test.ts measures the database search; here the members arrive page by page.
  await page.route('**/rpc/search_members', async (route) => {
    const { skip, max_results } = route.request().postDataJSON() as Record<string, number>
    const length = Math.max(0, Math.min(max_results ?? 0, 10_000 - (skip ?? 0)))
    const people = Array.from({ length }, (_, n) => {
      const number = (skip ?? 0) + n + 1
      const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
      return { id, first_name: 'Rep', last_name: `${number}.`, email: `rep${number}@example.com` }
    })
    await route.fulfill({ json: people })
  })
  await page.goto('/chat/create')
  const list = page.getByRole('group', { name: 'Team members' })
  await expect(list.getByText('Rep 1.', { exact: true })).toBeVisible()
  const lastShown = () =>
    list.locator('> div').evaluate((each) => {
      each.scrollTop = each.scrollHeight
      return Math.max(...[...each.textContent.matchAll(/Rep (\d+)\./g)].map(([, n]) => Number(n)))
    })
  await expect.poll(lastShown, { intervals: [50] }).toBeGreaterThanOrEqual(1000)
  expect(await page.locator('*').count()).toBeLessThan(600)
})
