import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, alertsOf, badge, openThread, say, thread } from './support/chats.ts'
import { test } from './support/journey.ts'
import { linkFor } from './support/mailbox.ts'
import { aMember } from './support/members.ts'
import { fillReport } from './support/reviews.ts'
import { queryDatabase } from './support/server.ts'
import { pageOf } from './support/sign-in.ts'

test('a reported message is under "Your reports"', async ({ browser }) => {
  const [ana, ben] = await Promise.all([
    aMember({ firstName: 'Ana' }),
    aMember({ firstName: 'Ben' }),
  ])
  const { id } = await aChat(ben, [ana], { firstMessage: 'Guaranteed 12 % a year' })
  const page = await pageOf(browser, ana)
  await openThread(page, id)
  const sheet = await fillReport(
    page,
    'Guaranteed 12 % a year',
    'Misleading claims or promises',
    'He wrote this to a customer',
  )
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

test('visitors read the house rules that they accept by signing up', async ({ page }) => {
  await page.goto('/create-account')
  const [rules] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'house rules' }).click(),
  ])
  await expect(rules).toHaveURL('/house-rules')
  await expect(rules.getByText('Be respectful.')).toBeVisible()
  await expectAccessible(rules)
})

test.describe('house rules that an admin changed', () => {
  // The next journeys of this server begin without any.
  test.afterEach(() =>
    queryDatabase(
      `update private.house_rules set body = '', contact = '', version = 1, asked_version = 0`,
    ),
  )

  const acceptedBy = async (email: string) => {
    const rows = await queryDatabase<{ version: number }>(
      `select a.version from private.rule_acceptances a join private.members m on m.id = a.member_id
       where m.email = $1`,
      [email],
    )
    return rows.map(({ version }) => version)
  }

  test('are accepted by each member before anything else, and by who signs up, in the version they read', async ({
    browser,
    page: visitor,
  }) => {
    const [dana, ana] = await Promise.all([
      aMember({ firstName: 'Dana', role: 'admin' }),
      aMember({ firstName: 'Ana' }),
    ])
    const desk = await pageOf(browser, dana, '/house-rules')
    await desk.getByRole('button', { name: 'Edit' }).click()
    const sheet = desk.getByRole('dialog', { name: 'Edit the house rules' })
    await sheet.getByLabel('Rules').fill('Be kind to everybody')
    await sheet.getByLabel('Contact for abuse').fill('abuse@example.com')
    await sheet.getByRole('checkbox', { name: /^Ask everybody again/ }).check()
    await expectAccessible(desk)
    await sheet.getByRole('button', { name: 'Save' }).click()
    await expect(desk.getByText('The house rules are saved.')).toBeVisible()
    await expect(desk.getByText('Be kind to everybody')).toBeVisible()
    expect(await acceptedBy(dana.email)).toEqual([2])

    const page = await pageOf(browser, ana)
    await expect(page.getByText("Your team's house rules have changed.")).toBeVisible()
    await expect(page.getByText('Be kind to everybody')).toBeVisible()
    await expect(page.getByText('abuse@example.com')).toBeVisible()
    await expect(page.getByRole('navigation')).toHaveCount(0)
    await expectAccessible(page)
    expect(await acceptedBy(ana.email)).toEqual([])
    await page.getByRole('button', { name: 'Accept' }).click()
    await expect(page.getByRole('navigation').first()).toBeVisible()
    expect(await acceptedBy(ana.email)).toEqual([2])
    await page.reload()
    await expect(page.getByRole('navigation').first()).toBeVisible()
    await expect(page.getByText('Be kind to everybody')).toHaveCount(0)

    const email = `nina.${ana.email}`
    await visitor.addInitScript('globalThis.busyMinimumMs = 0')
    await visitor.goto('/create-account')
    for (const [label, text] of Object.entries({
      'First Name': 'Nina',
      'Last Name': 'Alvarez',
      Email: email,
      Password: ana.password,
      'Confirm Password': ana.password,
    }))
      await visitor.getByLabel(label, { exact: true }).fill(text)
    await visitor.getByRole('button', { name: 'Verify Account' }).click()
    await visitor.goto(await linkFor(email))
    await visitor.getByRole('button', { name: 'Continue', exact: true }).click()
    // Nobody is asked for what they accepted by signing up.
    await expect(visitor).toHaveURL(/\/home$/)
    await expect(visitor.getByRole('navigation').first()).toBeVisible()
    expect(await acceptedBy(email)).toEqual([2])
  })
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
