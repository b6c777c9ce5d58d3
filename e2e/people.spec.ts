import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, alertsOf, openThread, say, thread } from './support/chats.ts'
import { test } from './support/journey.ts'
import { expectSoundLayout } from './support/layout-facts.ts'
import { aMember, type Member } from './support/members.ts'
import { asksOneByOne } from './support/one-by-one.ts'
import { pageOf } from './support/sign-in.ts'

const PHONE = '+13125550142'

const someone = (firstName: string) =>
  aMember({ firstName, lastName: `X${randomUUID().slice(0, 8)}` })
const fullName = ({ firstName, lastName }: Member) => `${firstName} ${lastName}`
const sheetOf = (page: Page, member: Member) => page.getByRole('dialog', { name: fullName(member) })

/** Opens the directory at this member's profile. */
async function find(page: Page, member: Member) {
  await page.getByRole('searchbox').fill(member.lastName)
  const row = page.getByRole('main').getByRole('button', { name: fullName(member) })
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1)
  await row.click()
  return sheetOf(page, member)
}

test('a person found in the directory is written to, and a second press makes no second chat', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([someone('Ana'), someone('Ben')])
  const page = await pageOf(browser, ben, '/home')
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('link', { name: 'People' }).click()
  await expect(page.getByRole('heading', { name: 'People' })).toBeVisible()
  await expectAccessible(page)
  const sheet = await find(page, ana)
  await expect(sheet.getByRole('link', { name: ana.email })).toBeVisible()
  await expect(sheet.getByRole('link', { name: 'Call' })).toHaveCount(0)
  await expectAccessible(page)
  await sheet.getByRole('link', { name: 'Message' }).click()
  await expect(page.getByRole('button', { name: 'Remove Ana' })).toBeVisible()
  await expect(page.getByLabel('First message')).toBeFocused()
  await page.getByLabel('First message').fill('Lunch on Friday?')
  await page.getByRole('button', { name: 'Send & Create Chat' }).dblclick()
  await expect(page).toHaveURL(/\/chat\/[0-9a-f-]{36}$/)
  await expect(thread(page).getByText('Lunch on Friday?')).toHaveCount(1)

  // From then on it is the chat of the two, for the other as well.
  const other = await pageOf(browser, ana, '/people')
  const back = await find(other, ben)
  await back.getByRole('link', { name: 'Message' }).click()
  await expect(thread(other).getByText('Lunch on Friday?')).toHaveCount(1)
  expect(other.url()).toBe(page.url())
})

test('a profile is closed by its button, however long the name', async ({ browser }) => {
  const [ana, ben] = await Promise.all([someone('Ana'.repeat(16)), someone('Ben')])
  const page = await pageOf(browser, ben, '/people')
  const sheet = await find(page, ana)
  await expectSoundLayout(page, 'a profile with a long name')
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect(sheet).toBeHidden()
})

test('where the code of a profile does not arrive, the list stays and the next press tries again', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([someone('Ana'), someone('Ben')])
  const page = await pageOf(browser, ben, '/people')
  const alerts = alertsOf(page)
  await page.route('**/assets/person-sheet-*', (route) => route.abort())
  const sheet = await find(page, ana)
  await expect.poll(() => alerts).toEqual(['This could not be opened: The server did not answer.'])
  await expect(page.getByRole('searchbox')).toHaveValue(ana.lastName)
  await page.unroute('**/assets/person-sheet-*')
  await page
    .getByRole('main')
    .getByRole('button', { name: fullName(ana) })
    .click()
  await expect(sheet.getByRole('link', { name: ana.email })).toBeVisible()
})

test('what was begun with one person does not take the place of another new chat', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([someone('Ana'), someone('Ben')])
  const page = await pageOf(browser, ana, '/chat/create')
  await page.getByLabel('First message').fill('To somebody I still look for')
  await page.getByRole('link', { name: 'People' }).click()
  await (await find(page, ben)).getByRole('link', { name: 'Message' }).click()
  await expect(page.getByLabel('First message')).toHaveValue('')
  await page.getByLabel('First message').fill('To Ben')
  await page.goto('/chat/create')
  await expect(page.getByLabel('First message')).toHaveValue('To somebody I still look for')
  await page.goto(`/chat/create?with=${ben.id}`)
  await expect(page.getByLabel('First message')).toHaveValue('To Ben')
})

test('a member says who sees phone and email, and the profile that others open follows', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([someone('Ana'), someone('Ben')])
  const page = await pageOf(browser, ana, '/profile')
  const alerts = alertsOf(page)
  await page.getByRole('button', { name: 'Phone and what others see' }).click()
  const form = page.getByRole('dialog', { name: 'Phone and what others see' })
  const phone = form.getByLabel('Phone', { exact: true })
  await expect(form.getByLabel('Who sees your phone number')).toHaveValue('leaders')
  await expect(form.getByLabel('Who sees your email')).toHaveValue('everyone')
  await phone.fill('555-0142')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('Enter a phone number with its area code')).toBeVisible()
  await expect(phone).toBeFocused()
  await expectAccessible(page)
  await phone.fill('(312) 555-0142')
  await form.getByLabel('Who sees your phone number').selectOption('everyone')
  await form.getByLabel('State').selectOption({ label: 'Texas' })
  await form.getByLabel('About you').fill('Term life, evenings')
  // Twice before anything is drawn: a second press later would land on what the closed sheet covered.
  await form.getByRole('button', { name: 'Save' }).evaluate((save: HTMLButtonElement) => {
    save.click()
    save.click()
  })
  await expect(form).toBeHidden()
  expect(alerts).toEqual(['Enter a phone number with its area code, such as (312) 555-0142'])

  const other = await pageOf(browser, ben, '/people')
  const sheet = await find(other, ana)
  await expect(sheet.getByRole('link', { name: 'Call' })).toHaveAttribute('href', `tel:${PHONE}`)
  await expect(sheet.getByText('(312) 555-0142')).toBeVisible()
  await expect(sheet.getByText('Texas')).toBeVisible()
  await expect(sheet.getByText('Term life, evenings')).toBeVisible()
  await expectAccessible(other)
  await other.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Phone and what others see' }).click()
  await expect(phone).toHaveValue('(312) 555-0142')
  await form.getByLabel('Who sees your phone number').selectOption('leaders')
  await form.getByLabel('Who sees your email').selectOption('nobody')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
  await other.goto('/people')
  await find(other, ana)
  await expect(sheet.getByText('Texas')).toBeVisible()
  await expect(sheet.getByRole('link', { name: 'Message' })).toBeVisible()
  await expect(sheet.getByRole('link', { name: 'Call' })).toHaveCount(0)
  await expect(sheet).not.toContainText('555')
  await expect(sheet).not.toContainText(ana.email)
})

test('a name, a picture and a mention in a thread open the profile', async ({ browser }) => {
  const [ana, ben, cleo] = await Promise.all([someone('Ana'), someone('Ben'), someone('Cleo')])
  const { id } = await aChat(ben, [ana, cleo], { firstMessage: 'Welcome, both of you' })
  const mention = { chat_id: id, sender_id: ben.id, mentions: [cleo.id] }
  const sent = await ben.client
    .from('chat_messages')
    .insert({ ...mention, message: `Ask @${fullName(cleo)} about it` })
  expect(sent.error).toBeNull()
  const page = await pageOf(browser, ana)
  await openThread(page, id)
  const messages = thread(page)
  await messages
    .getByRole('button', { name: fullName(ben), exact: true })
    .first()
    .click()
  await expect(sheetOf(page, ben)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheetOf(page, ben)).toBeHidden()
  await messages.getByRole('button', { name: `@${fullName(cleo)}`, exact: true }).click()
  await expect(sheetOf(page, cleo)).toBeVisible()
  await expectAccessible(page)
  // Back closes it, and the thread is still there.
  await page.goBack()
  await expect(sheetOf(page, cleo)).toBeHidden()
  await expect(messages.getByText('Welcome, both of you')).toBeVisible()
})

test('a profile opened from a chat’s details returns to them', async ({ browser }) => {
  const [ana, ben] = await Promise.all([someone('Ana'), someone('Ben')])
  const { id } = await aChat(ben, [ana])
  const page = await pageOf(browser, ana)
  await openThread(page, id)
  await page.getByTitle('Chat details').click()
  const details = page.getByRole('dialog').filter({ hasText: 'Members' })
  await details.getByRole('button', { name: fullName(ben) }).click()
  await expect(sheetOf(page, ben).getByRole('link', { name: 'Message' })).toBeVisible()
  await sheetOf(page, ben).getByRole('button', { name: 'Close' }).click()
  await expect(details.getByRole('button', { name: fullName(ben) })).toBeVisible()
})

test('filters find people by state and by leader, and are taken away one by one', async ({
  browser,
}) => {
  const [ana, ben, cleo] = await Promise.all([someone('Ana'), someone('Ben'), someone('Cleo')])
  const admin = await aMember({ firstName: 'Ada', role: 'admin' })
  const set = await admin.client.rpc('set_sponsor', { member_id: ben.id, sponsor_id: ana.id })
  expect(set.error).toBeNull()
  for (const member of [ben, cleo]) {
    const saved = await member.client.from('users').update({ state: 'WY' }).eq('id', member.id)
    expect(saved.error).toBeNull()
  }
  const page = await pageOf(browser, cleo, '/people')
  const rows = page.getByRole('main').getByRole('listitem')
  await page.getByRole('button', { name: 'Filter people' }).click()
  const filters = page.getByRole('dialog', { name: 'Filter people' })
  await filters.getByLabel('State').selectOption({ label: 'Wyoming' })
  await expectAccessible(page)
  await filters.getByRole('button', { name: 'Choose a leader' }).click()
  const leaders = page.getByRole('dialog', { name: 'Choose a leader' })
  await leaders.getByRole('searchbox').fill(ana.lastName)
  await expect(leaders.getByRole('listitem')).toHaveCount(1)
  await leaders.getByRole('button', { name: fullName(ana) }).click()
  await expect(rows.filter({ hasText: fullName(ben) })).toBeVisible()
  await expect(rows.filter({ hasText: fullName(cleo) })).toHaveCount(0)

  // The way back from a profile that leads to the same list.
  await page.goto('/people')
  const sheet = await find(page, ben)
  await sheet.getByRole('button', { name: fullName(ana) }).click()
  await sheetOf(page, ana).getByRole('link', { name: 'People: 1' }).click()
  await expect(
    page.getByRole('button', { name: `Remove filter: Brought in by ${fullName(ana)}` }),
  ).toBeVisible()
  await expect(rows.filter({ hasText: fullName(ben) })).toBeVisible()
  await page.getByRole('searchbox').fill('nobody is called this')
  await expect(page.getByRole('heading', { name: 'Nobody found' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Show everybody' }).click()
  await expect(page.getByRole('button', { name: /^Remove filter/ })).toHaveCount(0)
})

test('the chat list’s search offers people who have no chat with the member', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([someone('Ana'), someone('Ben')])
  const page = await pageOf(browser, ana, '/chat')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill(ben.lastName)
  const others = page.getByRole('region', { name: 'People without a chat with you' })
  await others.getByRole('link', { name: fullName(ben) }).click()
  await page.getByLabel('First message').fill('Hello Ben')
  await page.getByRole('button', { name: 'Send & Create Chat' }).click()
  await expect(thread(page).getByText('Hello Ben')).toBeVisible()
  await page.goto('/chat')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill(ben.lastName)
  await expect(page.getByRole('link', { name: new RegExp(fullName(ben)) })).toHaveCount(1)
  await expect(others).toHaveCount(0)
})

test('the chat list’s search brings people first, then groups, and says which of their members it is', async ({
  browser,
}) => {
  const [ana, ben, cal] = await Promise.all([someone('Ana'), someone('Ben'), someone('Cal')])
  await aChat(ana, [ben])
  const group = await aChat(ana, [ben, cal], { name: 'Field squad' })
  const page = await pageOf(browser, ana, '/chat')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill(ben.lastName)
  const people = page.getByRole('region', { name: 'People', exact: true })
  const groups = page.getByRole('region', { name: 'Groups' })
  await expect(people.getByRole('link')).toHaveCount(1)
  const found = groups.getByRole('link', { name: /Field squad/ })
  await expect(found).toContainText(`${fullName(ben)} is in this group`)
  const [top, below] = [await people.boundingBox(), await groups.boundingBox()]
  expect(top!.y).toBeLessThan(below!.y)
  await expectAccessible(page)
  await found.click()
  await expect(page).toHaveURL(new RegExp(`/chat/${group.id}$`))
})

test('offline and after an error the directory says so, and reads again', async ({ browser }) => {
  const ana = await someone('Ana')
  const page = await pageOf(browser, ana)
  await asksOneByOne(page)
  // Whoever joins the team meanwhile has the list read again, which would take the button away.
  await page.routeWebSocket(/\/realtime\/v1\//, () => {})
  await page.route('**/rpc/list_people', (route) =>
    route.fulfill({ status: 500, json: { message: 'No luck' } }),
  )
  await page.goto('/people')
  await expect(page.getByText('Error loading people: No luck')).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/rpc/list_people')
  await page.route('**/rpc/list_people', (route) => route.abort('internetdisconnected'))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('The server did not answer')).toBeVisible()
  await page.unroute('**/rpc/list_people')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
})

test('a profile of who left has a name and no way to reach them', async ({ browser }) => {
  const [ana, ben, cleo] = await Promise.all([someone('Ana'), someone('Ben'), someone('Cleo')])
  const admin = await aMember({ firstName: 'Ada', role: 'admin' })
  const { id } = await aChat(ben, [ana, cleo], { firstMessage: 'I am off soon' })
  await say(ben, id, 'Goodbye')
  await ben.client
    .from('users')
    .update({ phone: PHONE, phone_audience: 'everyone' })
    .eq('id', ben.id)
  const removed = await admin.client.rpc('set_member_status', {
    member_id: ben.id,
    status: 'removed',
    reason: 'Left',
  })
  expect(removed.error).toBeNull()
  const page = await pageOf(browser, ana)
  await openThread(page, id)
  await thread(page)
    .getByRole('button', { name: fullName(ben), exact: true })
    .first()
    .click()
  const sheet = sheetOf(page, ben)
  await expect(sheet.getByText('No longer on the team.')).toBeVisible()
  await expect(sheet.getByRole('link')).toHaveCount(0)
  await expect(sheet).not.toContainText(ben.email)
})
