import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, alertsOf, badge, openThread, say, thread } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { asksOneByOne } from './support/one-by-one.ts'
import { pageOf } from './support/sign-in.ts'

test('a reported message is under "Your reports"', async ({ browser }) => {
  const [ana, ben] = await Promise.all([
    aMember({ firstName: 'Ana' }),
    aMember({ firstName: 'Ben' }),
  ])
  const { id } = await aChat(ben, [ana], { firstMessage: 'Guaranteed 12 % a year' })
  const page = await pageOf(browser, ana)
  await openThread(page, id)
  await thread(page).getByText('Guaranteed 12 % a year').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Report' }).click()
  const sheet = page.getByRole('dialog', { name: 'Report this message' })
  await sheet.getByLabel('What is wrong?').selectOption({ label: 'Misleading claims or promises' })
  await sheet.getByLabel('More about it (optional)').fill('He wrote this to a customer')
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Send report' }).click()
  await expect(sheet).toBeHidden()
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Your reports' }).click()
  const report = page.getByRole('listitem').filter({ hasText: 'A message from Ben Tester' })
  await expect(report).toContainText('Guaranteed 12 % a year')
  await expect(report).toContainText('He wrote this to a customer')
  await expect(report).toContainText('Not looked at yet')
  await expectAccessible(page)
})

/** The sheet that reports the other of a chat of two. */
async function reportSheet(page: Page, chatId: string, name: string) {
  await openThread(page, chatId)
  await page.getByTitle('Chat details').click()
  await page.getByRole('dialog').getByRole('button', { name }).click()
  await page.getByRole('dialog', { name }).getByRole('button', { name: 'Report' }).click()
  return page.getByRole('dialog', { name: `Report ${name}` })
}

test('a report needs a reason, keeps what was typed, and is sent once', async ({ browser }) => {
  const [ana, ben] = await Promise.all([
    aMember({ firstName: 'Ana' }),
    aMember({ firstName: 'Ben' }),
  ])
  const { id } = await aChat(ben, [ana])
  const page = await pageOf(browser, ana)
  let sent = 0
  let isOffline = true
  let responsesLost = 0
  await page.route('**/rest/v1/rpc/report_member', async (route) => {
    if (isOffline) return route.abort('internetdisconnected')
    sent++
    const response = await route.fetch()
    if (sent > 1) return route.fulfill({ response })
    await route.abort('connectionreset')
    responsesLost++
  })
  const sheet = await reportSheet(page, id, 'Ben Tester')
  const reason = sheet.getByLabel('What is wrong?')
  const more = sheet.getByLabel('More about it (optional)')
  const send = sheet.getByRole('button', { name: 'Send report' })
  await expect(reason).toHaveValue('')
  await more.fill('He calls my customers')
  await send.click()
  await expect(sheet.getByText('Choose what is wrong.')).toBeVisible()
  await expectAccessible(page)
  await reason.selectOption({ label: 'Something else' })
  await expect(sheet.getByText('Choose what is wrong.')).toHaveCount(0)

  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await page.context().setOffline(true)
  await send.click()
  await expect(sheet.getByText('You are offline. What you wrote is still here')).toBeVisible()
  await page.context().setOffline(false)
  isOffline = false

  // It arrives, and the response does not.
  await send.click()
  await expect.poll(() => responsesLost).toBe(1)
  await expect(sheet.getByText('The server did not answer. What you wrote')).toBeVisible()
  await expect(more).toHaveValue('He calls my customers')
  await expect(reason).toHaveValue('other')
  expect(sent).toBe(1)
  await send.evaluate((button: HTMLElement) => {
    button.click()
    button.click()
  })
  await expect(sheet).toBeHidden()
  expect(sent).toBe(2)
  await expect(page.getByText('Thank you.')).toHaveCount(1)
  await page.goto('/profile/reports')
  await expect(page.getByRole('listitem').filter({ hasText: 'Ben Tester' })).toHaveCount(1)
})

test('what the database refuses is a sentence in English too', async ({ browser }) => {
  const [ana, ben] = await Promise.all([
    aMember({ firstName: 'Ana' }),
    aMember({ firstName: 'Ben' }),
  ])
  const { id } = await aChat(ben, [ana])
  const page = await pageOf(browser, ana)
  await page.route('**/rest/v1/rpc/report_member', (route) =>
    route.continue({
      postData: { ...(route.request().postDataJSON() as object), reason: 'because' },
    }),
  )
  const sheet = await reportSheet(page, id, 'Ben Tester')
  await sheet.getByLabel('What is wrong?').selectOption({ label: 'Spam' })
  await sheet.getByRole('button', { name: 'Send report' }).click()
  await expect(sheet.getByText('Choose one of the reasons')).toBeVisible()
  await expect(sheet).not.toContainText('constraint')
})

test('somebody blocked is silent, folded in groups, and back after unblocking', async ({
  browser,
}) => {
  // Without the team chat, in which other journeys write meanwhile.
  const permissions = { rally_enabled: false }
  const [ana, ben, cleo] = await Promise.all([
    aMember({ firstName: 'Ana', permissions }),
    aMember({ firstName: 'Ben' }),
    aMember({ firstName: 'Cleo' }),
  ])
  const pair = await aChat(ben, [ana], { firstMessage: 'Only for you' })
  const group = await aChat(cleo, [ana, ben], { name: 'Closers', firstMessage: 'Welcome' })
  const page = await pageOf(browser, ana)
  await openThread(page, pair.id)
  await page.getByTitle('Chat details').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Ben Tester' }).click()
  const person = page.getByRole('dialog', { name: 'Ben Tester' })
  await person.getByRole('button', { name: 'Block', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Block', exact: true }).click()
  await expect(person.getByRole('button', { name: 'Unblock' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.locator('#main').getByText('You blocked Ben Tester.')).toBeVisible()

  await expect(say(ben, pair.id, 'Do you hear me?')).rejects.toThrow(/row-level security/)
  await say(ben, group.id, 'Loud in the group')
  await page.goto('/chat')
  await expect(page.getByRole('link', { name: /Closers/ })).toContainText(
    'Message from somebody you blocked',
  )
  await expect(page.getByRole('link', { name: /Ben Tester/ })).toHaveCount(0)
  await page.getByRole('link', { name: /Closers/ }).click()
  await expect(thread(page).getByText('Message from somebody you blocked')).toBeVisible()
  await expect(thread(page).getByText('Loud in the group')).toHaveCount(0)
  await expectAccessible(page)
  await thread(page).getByRole('button', { name: 'Show' }).click()
  await expect(thread(page).getByText('Loud in the group')).toBeVisible()
  await say(ben, group.id, 'And louder')
  await page.goto('/chat')
  await expect(page.getByRole('link', { name: /Closers/ })).toBeVisible()
  expect(await badge(page)).toBe('0')

  await page.goto('/profile')
  await page.getByRole('button', { name: 'Blocked people' }).click()
  await expectAccessible(page)
  await page.getByRole('listitem').filter({ hasText: 'Ben Tester' }).getByRole('button').click()
  await expect(page.getByText("You haven't blocked anyone")).toBeVisible()
  await say(ben, pair.id, 'Again')
  await page.goto('/chat')
  await expect(page.getByRole('link', { name: /Ben Tester/ })).toContainText('Again')
})

test('a leader cannot be blocked, and the app says so', async ({ browser }) => {
  const [ana, dana] = await Promise.all([
    aMember({ firstName: 'Ana' }),
    aMember({ firstName: 'Dana', role: 'admin' }),
  ])
  const { id } = await aChat(dana, [ana])
  const page = await pageOf(browser, ana)
  const alerts = alertsOf(page)
  await openThread(page, id)
  await page.getByTitle('Chat details').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Dana Tester' }).click()
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Block', exact: true }).click()
  await expect.poll(() => alerts.join()).toContain('A leader of the team cannot be blocked')
})

test('house rules: visitors read them, an admin asks everybody again, a member accepts', async ({
  browser,
  page: visitor,
}) => {
  await visitor.goto('/create-account')
  await expect(visitor.getByRole('link', { name: 'house rules' })).toHaveAttribute(
    'href',
    '/house-rules',
  )
  await visitor.goto('/house-rules')
  await expect(visitor.getByText('Be respectful.')).toBeVisible()
  await expectAccessible(visitor)

  // Only this member is asked here: others share the server.
  const ana = await aMember({ firstName: 'Ana' })
  const page = await pageOf(browser, ana)
  const rules = { body: 'Be kind to everybody', contact: 'abuse@example.com', version: 2 }
  let mustAccept = true
  await asksOneByOne(page)
  await page.route('**/rest/v1/rpc/house_rules', (route) =>
    route.fulfill({ json: [{ ...rules, must_accept: mustAccept, may_edit: false }] }),
  )
  await page.goto('/home')
  await expect(page.getByText('Be kind to everybody')).toBeVisible()
  await expectAccessible(page)
  mustAccept = false
  await page.getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByRole('navigation').first()).toBeVisible()
})

test('Back on the house rules leads to where one came from', async ({ browser }) => {
  const dana = await aMember({ firstName: 'Dana', role: 'admin' })
  const page = await pageOf(browser, dana)
  const back = page.getByRole('main').getByLabel('Back', { exact: true })
  await page.goto('/admin')
  await page.getByRole('link', { name: 'House rules' }).click()
  // Before the page has loaded, Back is that of the page before.
  const title = page.getByRole('heading', { name: 'House rules', level: 1 })
  await expect(title).toBeVisible()
  await expect(page).toHaveURL('/house-rules')
  await back.click()
  await expect(page).toHaveURL('/admin')
  await page.goto('/profile')
  await page.getByRole('button', { name: 'House rules' }).click()
  await expect(title).toBeVisible()
  await page.reload()
  await back.click()
  await expect(page).toHaveURL('/profile')
  // By a link, in a tab of its own.
  const other = await page.context().newPage()
  await other.goto('/house-rules')
  await other.getByLabel('Back', { exact: true }).click()
  await expect(other).toHaveURL('/profile')
})
