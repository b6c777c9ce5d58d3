import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aTitle } from './support/content.ts'
import { test } from './support/journey.ts'
import { expectSoundLayout, shiftOf, watchShifts } from './support/layout-facts.ts'
import { aMember, type Member } from './support/members.ts'
import { publish } from './support/notices.ts'
import { asksOneByOne } from './support/one-by-one.ts'
import { pageOf, signIn } from './support/sign-in.ts'

/** Less than a person notices. */
const STILL = 0.005

test('a must-acknowledge notice arrives live, is acknowledged, and its author sees who has not', async ({
  browser,
}) => {
  const [admin, ana, ben] = await Promise.all([
    aMember({ firstName: 'Ada', role: 'admin' }),
    aMember({ firstName: 'Ana' }),
    aMember({ firstName: 'Ben' }),
  ])
  const [adminsPage, anasPage] = await Promise.all([pageOf(browser, admin), pageOf(browser, ana)])
  await anasPage.goto('/notifications')
  await expect(anasPage.getByText("You're all caught up")).toBeVisible()
  await expectAccessible(anasPage)

  const title = aTitle('New rooms')
  await writeNotice(adminsPage, title, [ana, ben])
  await expect(anasPage.getByRole('heading', { name: title })).toBeVisible()
  await expectAccessible(anasPage)
  const notice = noticeOf(adminsPage, title)
  await expect(figure(notice, 'Recipients')).toHaveText('2')
  await expect(figure(notice, 'Acknowledged')).toHaveText('0')

  await anasPage.getByRole('button', { name: 'Acknowledge' }).click()
  await expect(anasPage.getByText('Acknowledged')).toBeVisible()
  await adminsPage.reload()
  await expect(figure(notice, 'Acknowledged')).toHaveText('1')
  await notice.getByRole('button', { name: 'Not acknowledged yet' }).click()
  await expect(notice.getByText(`Ben ${ben.lastName}`)).toBeVisible()
  await expect(notice.getByText(`Ana ${ana.lastName}`)).toHaveCount(0)
  await expectAccessible(adminsPage)

  await notice.getByRole('button', { name: 'Remind' }).click()
  await expect(adminsPage.getByText('1 reminded')).toBeVisible()

  const { error } = await ben.client.rpc('acknowledge_notice', { notice_id: await idOf(ben) })
  expect(error).toBeNull()
  await adminsPage.reload()
  await expect(figure(notice, 'Acknowledged')).toHaveText('2')
  await expect(notice.getByRole('button', { name: 'Not acknowledged yet' })).toHaveCount(0)
})

test('a notice with a long address and its results fit the narrowest phone and large text', async ({
  browser,
}) => {
  const [admin, ana] = await Promise.all([aMember({ role: 'admin' }), aMember()])
  const title = aTitle('Rooms')
  const { error } = await admin.client.from('team_notices').insert({
    title,
    body: 'See www.example.com/the-rooms-of-next-week, or call 555-123-4567',
    audience: 'members',
    audience_members: [ana.id],
    must_acknowledge: true,
  })
  expect(error).toBeNull()
  const page = await pageOf(browser, admin)
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/admin-manage?type=notifications')
  await expect(figure(noticeOf(page, title), 'Acknowledged')).toBeVisible()
  await expectSoundLayout(page, 'a notice')
  await page.setViewportSize({ width: 412, height: 915 })
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
  await expectSoundLayout(page, 'a notice with text of 200 %')
})

test('what must be acknowledged is a card on Home until it is', async ({ browser }) => {
  const [admin, ana] = await Promise.all([aMember({ role: 'admin' }), aMember()])
  const [adminsPage, anasPage] = await Promise.all([pageOf(browser, admin), pageOf(browser, ana)])
  await anasPage.goto('/home')
  const title = aTitle('New rooms')
  await writeNotice(adminsPage, title, [ana])
  await expect(anasPage.getByRole('heading', { name: title })).toBeVisible()
  await expectAccessible(anasPage)
  await anasPage.getByRole('button', { name: 'Acknowledge' }).click()
  await expect(anasPage.getByRole('heading', { name: title })).toHaveCount(0)
  await anasPage.goto('/notifications')
  await expect(anasPage.getByText('Acknowledged')).toBeVisible()
})

test('Home never moves for what must be acknowledged, however late it arrives', async ({
  page,
}) => {
  const [admin, ana] = await Promise.all([aMember({ role: 'admin' }), aMember()])
  const title = aTitle('New rooms')
  await publish(admin, title, ana)
  await watchShifts(page)
  await asksOneByOne(page)
  await page.route('**/rest/v1/rpc/my_unacknowledged_notices*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await route.continue()
  })
  await signIn(page, ana)
  const card = (name: string) => page.getByRole('heading', { name })
  const welcome = page.getByText('Your vice presidents')
  await expect(card(title)).toBeVisible()
  await expect(welcome).toBeVisible()
  expect(await shiftOf(page), 'on the first visit').toBeLessThan(STILL)

  // What is on the device shows at once; what came since lies above it.
  const later = aTitle('New parking')
  await publish(admin, later, ana)
  await page.reload()
  await expect(card(title)).toBeVisible()
  await expect(welcome).toBeVisible()
  const place = await welcome.boundingBox()
  const arrived = page.getByRole('region', { name: 'Just arrived' })
  await expect(arrived.getByRole('heading', { name: later })).toBeVisible()
  expect(await welcome.boundingBox()).toEqual(place)
  expect(await shiftOf(page), 'on a later visit').toBeLessThan(STILL)
  await expectAccessible(page)
  await arrived.getByRole('button', { name: 'Close' }).click()
  await expect(arrived).toHaveCount(0)
  await expect(card(later)).toBeVisible()
})

test('one press marks all as read, also offline, and acknowledges nothing', async ({ page }) => {
  const [admin, ana] = await Promise.all([aMember({ role: 'admin' }), aMember()])
  await publish(admin, aTitle('New rooms'), ana, false)
  await publish(admin, aTitle('New parking'), ana)
  await signIn(page, ana, '/notifications')
  const markAll = page.getByRole('button', { name: 'Mark all as read' })
  const isNew = page.getByText('New', { exact: true })
  await expect(isNew).toHaveCount(2)
  await expectAccessible(page)
  await page.context().setOffline(true)
  await markAll.click()
  await expect(isNew).toHaveCount(0)
  await expect(markAll).toHaveCount(0)
  await page.context().setOffline(false)
  await expect
    .poll(async () => (await ana.client.rpc('unread_notification_count')).data as unknown)
    .toBe(0)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Acknowledge' })).toBeVisible()
  await expect(isNew).toHaveCount(0)
  await expect(markAll).toHaveCount(0)
})

test('a notice that was typed is not lost by leaving the form', async ({ page }) => {
  await signIn(page, await aMember({ role: 'admin' }), '/admin-manage?type=notifications')
  await page.getByRole('button', { name: 'Write a notice' }).click()
  const title = page.getByRole('dialog').getByLabel('Title')
  await title.fill('Half an idea')
  const question = page.getByRole('alertdialog', { name: 'Discard changes?' })
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(5, 5),
    () => page.evaluate(() => history.back()),
  ]) {
    await leave()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(title).toHaveValue('Half an idea')
    // Before, the closing question still takes what is pressed.
    await expect(title).toBeFocused()
  }
  // The second step back answers the question, and does not leave the screen.
  const place = () => page.evaluate(() => (history.state as { idx: number }).idx)
  const before = await place()
  await page.evaluate(() => history.back())
  await expect(question).toBeVisible()
  await expect.poll(place).toBe(before)
  await page.evaluate(() => history.back())
  await expect(question).toHaveCount(0)
  await expect(title).toHaveValue('Half an idea')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a withdrawn notice disappears from its recipients', async ({ browser }) => {
  const [admin, ana] = await Promise.all([aMember({ role: 'admin' }), aMember()])
  const [adminsPage, anasPage] = await Promise.all([pageOf(browser, admin), pageOf(browser, ana)])
  await anasPage.goto('/notifications')
  const title = aTitle('By mistake')
  await writeNotice(adminsPage, title, [ana])
  await expect(anasPage.getByRole('heading', { name: title })).toBeVisible()

  await adminsPage.getByRole('button', { name: `Withdraw ${title}` }).click()
  await adminsPage.getByRole('button', { name: 'Withdraw', exact: true }).click()
  await expect(noticeOf(adminsPage, title).getByText('Withdrawn')).toBeVisible()
  await expect(anasPage.getByRole('heading', { name: title })).toHaveCount(0)
})

test('quiet hours are saved with the time zone the member chose them in', async ({ page }) => {
  const ana = await aMember()
  await signIn(page, ana, '/notifications')
  await page.getByRole('tab', { name: 'Settings' }).click()
  await expect(page.getByRole('button', { name: 'Turn on' })).toBeVisible()
  // The first change is slow; the second waits for it, so the last one wins.
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let saves = 0
  await page.route('**/rest/v1/notification_settings*', async (route) => {
    if (route.request().method() !== 'GET' && ++saves === 1) await released
    await route.fallback()
  })
  await page.getByText('No push during quiet hours').click()
  await page.getByLabel('From', { exact: true }).fill('22:30')
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('22:30')
  expect(saves).toBe(1)
  release()
  await expect
    .poll(async () => (await ana.client.from('notification_settings').select('*')).data)
    .toMatchObject([
      { quiet_from: '22:30:00', quiet_to: '07:00:00', time_zone: 'America/New_York' },
    ])
  await expectAccessible(page)

  await page.reload()
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('22:30')
  await expect(page.getByText('Times are in America/New_York.')).toBeVisible()
})

test('a notice with half a time is not sent', async ({ browser }) => {
  const admin = await aMember({ role: 'admin' })
  const page = await pageOf(browser, admin)
  const title = aTitle('Half a time')
  await page.goto('/admin-manage?type=notifications')
  await page.getByRole('button', { name: 'Write a notice' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Title').fill(title)
  await form.getByLabel('Send at').focus()
  await page.keyboard.type('12012030')
  await form.getByRole('button', { name: 'Send now' }).click()
  await expect(form.getByText('Complete this field or clear it')).toBeVisible()
  await expect(form.getByLabel('Send at')).toBeFocused()
  await form.getByLabel('Send at').fill('2020-12-01T10:00')
  await form.getByRole('button', { name: 'Schedule' }).click()
  await expect(form.getByText(/This time has passed/)).toBeVisible()
  await expectAccessible(page)
  await form.getByLabel('Send at').fill('2099-12-01T10:00')
  await form.getByRole('button', { name: 'Schedule' }).click()
  await expect(page.getByText('Notice scheduled')).toBeVisible()
})

async function writeNotice(page: Page, title: string, members: Member[]) {
  await page.goto('/admin-manage?type=notifications')
  await page.getByRole('button', { name: 'Write a notice' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Title').fill(title)
  await form.getByLabel('Text', { exact: true }).fill('We meet upstairs from now on.')
  await form.getByLabel('To', { exact: true }).selectOption('members')
  for (const { email, firstName, lastName } of members) {
    await form.getByLabel('Find members').fill(email)
    const found = form.getByRole('list', { name: 'Selected members' }).getByRole('listitem')
    await expect(found).toHaveText([`${firstName} ${lastName}`])
    await found.getByRole('checkbox').check()
  }
  await form.getByLabel('Members must acknowledge this').check({ force: true })
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Send now' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question.getByText(`“${title}” goes to the members you selected.`)).toBeVisible()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Send now' }).click()
  await expect(page.getByText('Notice sent')).toBeVisible()
}

/** Published without the form. */
const noticeOf = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) })

/** One figure of a notice's results, by its caption. */
const figure = (notice: ReturnType<typeof noticeOf>, label: string) =>
  notice.locator('dl > div', { hasText: label }).locator('dd')

async function idOf(member: Member): Promise<string> {
  const response = await member.client.rpc('my_notifications', { max_results: 1 })
  return (response.data as { id: string }[])[0]!.id
}
