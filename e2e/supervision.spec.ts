import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import {
  aChatOfTwo as aChat,
  aSupervisor,
  fillReport,
  itemRow as row,
  pick,
  sayInAnImage,
  workerStep,
} from './support/reviews.ts'
import { queryDatabase } from './support/server.ts'
import { pageOf, signIn } from './support/sign-in.ts'

/** A promise that the lexicon has caught, opened by a supervisor. */
async function openPromise(page: Page, firstName: string) {
  const [admin, author, other] = await Promise.all([
    aMember({ role: 'admin' }),
    aMember({ firstName: 'Percy' }),
    aMember(),
  ])
  const supervisor = await aSupervisor(admin, firstName)
  await aChat(author, other, `Guaranteed returns ${author.id}`)
  await workerStep()
  await signIn(page, supervisor, '/supervision')
  await page.getByLabel('Source').selectOption('lexicon')
  await row(page, 'Lexicon', author.id).click()
  return {
    admin,
    author,
    supervisor,
    sheet: page.getByRole('dialog', { name: 'Review a message' }),
  }
}

test('an admin makes a member a supervisor, who reviews a promise and finds it in the figures', async ({
  page,
  browser,
}) => {
  const [admin, author, client] = await Promise.all([
    aMember({ role: 'admin', firstName: 'Ada' }),
    aMember({ firstName: 'Percy', lastName: 'Promise' }),
    aMember(),
  ])
  const supervisor = await aMember({ firstName: 'Suzette', lastName: 'Watcher' })
  const desk = await pageOf(browser, admin, '/admin/members')
  await desk.getByRole('searchbox').fill(supervisor.email)
  await desk.getByRole('button', { name: /Suzette Watcher/ }).click()
  const supervises = desk.getByRole('switch', { name: /^Supervises/ })
  await desk.getByText(/^Supervises/).click()
  const question = desk.getByRole('alertdialog')
  await expect(question).toContainText('read every chat on the team')
  await expect(question).toContainText('Everybody on the team sees that they supervise.')
  await expectAccessible(desk)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(supervises).not.toBeChecked()
  await desk.getByText(/^Supervises/).click()
  await question.getByRole('button', { name: 'Allow' }).dblclick()
  await expect(question).toBeHidden()
  await expect(supervises).toBeChecked()
  await expect(desk.getByText('Suzette Watcher supervises now')).toBeVisible()
  await desk.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(desk.getByRole('button', { name: /Suzette Watcher/ })).toContainText('Supervisor')

  const words = `Guaranteed returns of 12 % ${author.id}`
  await aChat(author, client, words)
  await workerStep()

  await signIn(page, supervisor, '/profile')
  await expect(page.getByText(/ and you$|^you$/)).toBeVisible()
  await page.getByRole('button', { name: /More$/ }).click()
  await page.getByRole('link', { name: /Supervision/ }).click()
  await expect(page).toHaveURL(/supervision/)
  // The screen before stays until the next one has loaded.
  await expect(page.getByLabel('Source')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Source').selectOption('lexicon')
  await row(page, 'Lexicon', author.id).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText(words)).toBeVisible()
  await expect(sheet.getByText('This look is recorded.')).toBeVisible()
  await expectAccessible(page)
  await sheet.getByLabel('Note').fill('Called Percy')
  await sheet.getByRole('button', { name: 'Violation' }).click()
  await expect(sheet).toBeHidden()
  await expect(page.getByText('Decided: Violation')).toBeVisible()
  await expect(row(page, 'Lexicon', author.id)).toBeHidden()

  await page.getByText('Mine', { exact: true }).click()
  await expect(page.getByText('Nothing here: Lexicon')).toBeVisible()
  await page.getByLabel('Source').selectOption('')
  await expect(page.getByText('Nothing is assigned to you')).toBeVisible()
  await page.getByText('Closed', { exact: true }).click()
  await row(page, 'Lexicon', author.id).click()
  await expect(sheet.getByText('Called Percy')).toBeVisible()
  await expect(sheet.getByText('Suzette Watcher: Violation')).toBeVisible()
  await sheet.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('tab', { name: 'Figures' }).click()
  await expect(page.getByText('Violation', { exact: true }).first()).toBeVisible()
  await expectAccessible(page)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as CSV' }).click()
  const file = await readFile(await (await saved).path(), 'utf8')
  expect(file).toContain('Week of,Messages,Lexicon,Sample,Report,Reviewed')
})

test('a supervisor reads and downloads the figures of one leader’s line, and sets its share of the sample once', async ({
  page,
}) => {
  const [admin, author, leader] = await Promise.all([
    aMember({ role: 'admin' }),
    aMember(),
    aMember({ firstName: 'Lena', lastName: 'Lineworth' }),
  ])
  await queryDatabase('update private.members set sponsor_id = $1 where id = $2', [
    leader.id,
    author.id,
  ])
  await aChat(author, leader, `Guaranteed returns ${author.id}`)
  await workerStep()
  await signIn(page, await aSupervisor(admin, 'Fay'), '/supervision?tab=figures')
  const figure = (name: string) =>
    page.getByRole('definition').filter({
      has: page.locator(`xpath=preceding-sibling::dt[.="${name}"]`),
    })
  await page.getByRole('button', { name: 'Show one leader’s line' }).click()
  await pick(page.getByRole('dialog'), 'Lineworth', 'Lena Lineworth')
  await expect(
    page.getByRole('heading', { name: 'By week in Lena Lineworth’s line' }),
  ).toBeVisible()
  await expect(figure('Messages').first()).toHaveText('1')
  await expectAccessible(page)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as CSV' }).click()
  const file = await readFile(await (await saved).path(), 'utf8')
  expect(file).toContain('Line of,Week of,Messages,Lexicon')
  expect(file).toMatch(/^Lena Lineworth,\d{4}-\d{2}-\d{2},1,1,/m)
  await page.getByRole('button', { name: 'Show the whole team' }).click()
  await expect(page.getByRole('heading', { name: 'By week', exact: true })).toBeVisible()

  const ofTeam = page.getByLabel('The whole team')
  const before = await ofTeam.inputValue()
  await ofTeam.selectOption('0')
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('only what the lexicon catches')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(ofTeam).toHaveValue(before)

  const share = page.getByLabel('Lena Lineworth’s line')
  const addShare = async () => {
    await page.getByRole('button', { name: 'Another share for a leader’s line' }).click()
    await pick(page.getByRole('dialog'), 'Lineworth', 'Lena Lineworth')
  }
  await addShare()
  await expect(share).toHaveValue('10')
  await share.selectOption('50')
  await expect(share).toHaveValue('50')
  await addShare()
  await expect(page.getByText('This leader has a share already.')).toBeVisible()
  await expect(share).toHaveValue('50')
})

test('a member reports a message, a supervisor finds it in the queue and decides, and the member reads the outcome', async ({
  page,
  browser,
}) => {
  const [admin, author, reporter] = await Promise.all([
    aMember({ role: 'admin' }),
    aMember({ firstName: 'Percy', lastName: 'Promise' }),
    aMember({ firstName: 'Reporting' }),
  ])
  const supervisor = await aSupervisor(admin, 'Rita')
  const words = `You cannot lose with this ${author.id}`
  const phone = await pageOf(browser, reporter, `/chat/${await aChat(author, reporter, words)}`)
  const form = await fillReport(phone, words, 'Misleading claims or promises', 'To a customer')
  await form.getByRole('button', { name: 'Send report' }).click()
  await expect(phone.getByText('Thank you.')).toBeVisible()

  await signIn(page, supervisor)
  await page.getByRole('button', { name: /More$/ }).click()
  await page.getByRole('link', { name: /Supervision/ }).click()
  await page.getByLabel('Source').selectOption('report')
  await row(page, 'Report', author.id).click()
  const sheet = page.getByRole('dialog', { name: 'Review a report' })
  await expect(sheet.getByText(words)).toBeVisible()
  await expect(sheet.getByText('Misleading claims')).toBeVisible()
  await expect(sheet.getByText('To a customer')).toBeVisible()
  await sheet.getByLabel('Note').fill('Called Percy')
  await sheet.getByRole('button', { name: 'Violation' }).click()
  await expect(page.getByText('Decided: Violation')).toBeVisible()
  await expect(row(page, 'Report', author.id)).toBeHidden()

  await phone.goto('/profile')
  await phone.getByRole('button', { name: 'Your reports' }).click()
  const report = phone.getByRole('listitem').filter({ hasText: 'A message from Percy Promise' })
  await expect(report).toContainText('Looked at: against the rules. Your leaders act on it.')
  await expect(report).toContainText('New')
  await expectAccessible(phone)
  // What supervisors note is for supervisors.
  await expect(phone.getByText('Called Percy')).toHaveCount(0)
})

test('a report is decided and its message removed, and both sides learn what became of it', async ({
  page,
  browser,
}) => {
  const [admin, author, reporter] = await Promise.all([
    aMember({ role: 'admin' }),
    aMember({ firstName: 'Rude', lastName: 'Words' }),
    aMember({ firstName: 'Reporting' }),
  ])
  const supervisor = await aSupervisor(admin, 'Sam')
  const chat = await aChat(author, reporter, `Something rude ${author.id}`)
  const { data } = await reporter.client
    .from('chat_messages')
    .select('id')
    .eq('chat_id', chat)
    .single<{ id: string }>()
    .throwOnError()
  await reporter.client
    .rpc('report_message', { message_id: data.id, reason: 'harassment', note: 'Again' })
    .throwOnError()

  await signIn(page, supervisor, '/supervision')
  await page.getByLabel('Source').selectOption('report')
  await row(page, 'Report', author.id).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText('Harassment')).toBeVisible()
  const remove = sheet.getByRole('button', { name: 'Remove message from Rude Words' })
  await remove.click()
  const question = page.getByRole('dialog', { name: 'Remove this message?' })
  await expectAccessible(page)
  await question.getByLabel('Reason').fill('Not here')
  await question.getByRole('button', { name: 'Remove' }).dblclick()
  await expect(question).toBeHidden()
  await expect(page.getByText('Message removed')).toBeVisible()
  await expect(sheet.getByText('Not here')).toBeVisible()
  await expect(remove).toBeHidden()
  const desk = await pageOf(browser, author, `/chat/${chat}`)
  await expect(desk.getByText('Removed by your leaders: Not here')).toBeVisible()
  await sheet.getByRole('button', { name: 'Follow-up' }).click()
  await expect(sheet).toBeHidden()
  const reports = await reporter.client.rpc('my_reports').throwOnError()
  expect(reports.data).toMatchObject([{ outcome: 'follow_up' }])
})

test('a supervisor reads a foreign chat with a reason, and changes the lexicon', async ({
  page,
}) => {
  const [admin, author, other] = await Promise.all([
    aMember({ role: 'admin' }),
    aMember({ firstName: 'Quill', lastName: 'Author' }),
    aMember(),
  ])
  const supervisor = await aSupervisor(admin, 'Lou')
  await aChat(author, other, `Between us ${author.id}`)
  await signIn(page, supervisor, '/supervision?tab=chats')
  await page.getByRole('searchbox').fill('quill author')
  await page
    .getByRole('button', { name: /Quill Author/ })
    .first()
    .click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Read the chat' }).click()
  await expect(sheet.getByText('Give a reason')).toBeVisible()
  await sheet.getByLabel('Reason').fill('Complaint of a client')
  await sheet.getByRole('button', { name: 'Read the chat' }).click()
  await expect(sheet.getByText(/Between us/)).toBeVisible()
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('tab', { name: 'Lexicon' }).click()
  await page.getByLabel('Try a text').fill('You cannot lose')
  await expect(page.getByText('Caught by: cannot lose')).toBeVisible()
  await page.getByRole('button', { name: 'Add an entry' }).click()
  await sheet.getByLabel('Word or phrase').fill(`moonshot${author.id.slice(0, 4)}*`)
  await sheet.getByRole('button', { name: 'Save' }).click()
  await expect(sheet).toBeHidden()
  await page.getByLabel('Try a text').fill(`A moonshot${author.id.slice(0, 4)}ing plan`)
  await expect(page.getByText(/Caught by: moonshot/)).toBeVisible()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
})

test('the navigation says what waits, live, to supervisors alone; and no longer once the right is gone', async ({
  page,
  browser,
}) => {
  const [admin, author, other] = await Promise.all([
    aMember({ role: 'admin' }),
    aMember({ firstName: 'Percy' }),
    aMember(),
  ])
  const supervisor = await aSupervisor(admin, 'Nav')
  const more = page.getByRole('button', { name: /More$/ })
  await signIn(page, supervisor)
  await expect(more).toBeVisible()
  // Other journeys fill the same queue: what is shown is what the database says at the moment.
  const showsCount = () =>
    expect(async () => {
      const response = await supervisor.client.rpc('reviews_waiting').throwOnError()
      const count = response.data as number
      await expect(more).toHaveAccessibleName(
        count === 0 ? 'More' : `${count > 99 ? '99+' : count} to review More`,
        { timeout: 500 },
      )
    }).toPass()
  await showsCount()
  await aChat(author, other, `Guaranteed returns ${author.id}`)
  await workerStep()
  await showsCount()
  await more.click()
  await expectAccessible(page)
  await expect(page.getByRole('link', { name: /Supervision/ })).toBeVisible()

  await admin.client
    .rpc('set_supervisor', { member_id: supervisor.id, can_supervise: false })
    .throwOnError()
  await expect(page.getByRole('link', { name: /Supervision/ })).toBeHidden()
  const desk = await pageOf(browser, admin, '/home')
  await desk.getByRole('button', { name: 'More', exact: true }).click()
  await expect(desk.getByRole('link', { name: 'Admin' })).toBeVisible()
  await expect(desk.getByRole('link', { name: /Supervision/ })).toBeHidden()
})

test('a supervisor whose right ends while an item is open is sent Home, and sees nothing of the queue', async ({
  page,
}) => {
  const [admin, author, client] = await Promise.all([
    aMember({ role: 'admin' }),
    aMember({ firstName: 'Percy', lastName: 'Promise' }),
    aMember(),
  ])
  const supervisor = await aSupervisor(admin, 'Ending')
  const words = `Guaranteed returns ${author.id}`
  await aChat(author, client, words)
  await workerStep()
  await signIn(page, supervisor, '/supervision')
  await row(page, 'Lexicon', author.id).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText('This look is recorded.')).toBeVisible()
  await admin.client
    .rpc('set_supervisor', { member_id: supervisor.id, can_supervise: false })
    .throwOnError()
  await expect(page).toHaveURL(/home/)
  await expect(page.getByText('You no longer supervise.')).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByText(words)).toBeHidden()
})

test('assigning says so and keeps the note; a note is added once, and an item is opened again', async ({
  page,
}) => {
  const { author, supervisor, sheet } = await openPromise(page, 'Nora')
  await sheet.getByLabel('Note').fill('Called Percy')
  await sheet.getByLabel('Assigned to').selectOption(supervisor.id)
  await expect(page.getByText('You took it', { exact: true })).toBeVisible()
  await expect(sheet.getByText('Nora Watcher took it')).toBeVisible()
  await expect(sheet.getByLabel('Note')).toHaveValue('Called Percy')
  await sheet.getByRole('button', { name: 'Add the note, decide later' }).dblclick()
  await expect(page.getByText('Note added')).toHaveCount(1)
  await expect(sheet.getByText('Called Percy')).toHaveCount(1)
  await sheet.getByRole('button', { name: 'Fine' }).dblclick()
  await expect(page.getByText('Decided: Fine')).toHaveCount(1)
  await expect(sheet).toBeHidden()

  await page.getByText('Closed', { exact: true }).click()
  await row(page, 'Lexicon', author.id).click()
  await sheet.getByRole('button', { name: 'Open again' }).click()
  await expect(sheet.getByText('Give a reason')).toBeVisible()
  await sheet.getByLabel('Note').fill('New facts')
  await sheet.getByRole('button', { name: 'Open again' }).dblclick()
  await expect(sheet.getByText('Nora Watcher opened it again')).toHaveCount(1)
  await expect(sheet.getByRole('button', { name: 'Violation' })).toBeVisible()
  await expect(sheet.getByLabel('Note')).toHaveValue('')
})

test('no button of an open item turns into another when somebody else decides', async ({
  page,
}) => {
  const { admin, author, sheet } = await openPromise(page, 'Una')
  const quicker = await aSupervisor(admin, 'Quincy')
  await expect(sheet.getByText('Why', { exact: true })).toBeInViewport()
  const said = sheet.getByRole('region', { name: 'Conversation' }).getByText(author.id)
  await expect(said).toBeInViewport({ ratio: 0.99 })
  await page.setViewportSize({ width: 360, height: 640 })
  const region = sheet.getByRole('region', { name: 'Conversation' })
  await expect.poll(() => region.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0)
  await sheet.getByLabel('Note').fill('I think it is fine')
  const [item] = await queryDatabase<{ id: string; version: number }>(
    `select id, version from private.review_items where member_id = $1 and source = 'lexicon'`,
    [author.id],
  )
  await quicker.client
    .rpc('decide_review_item', {
      item_id: item?.id,
      outcome: 'violation',
      note: 'A promise',
      if_version: item?.version,
    })
    .throwOnError()
  await expect(sheet.getByText('Quincy Watcher decided meanwhile: Violation.')).toBeVisible()
  await expect(said).toBeVisible()
  await expect(sheet.getByRole('button', { name: 'Fine' })).toBeHidden()
  await expect(sheet.getByRole('button', { name: 'Open again' })).toBeHidden()
  await sheet.getByRole('button', { name: 'Go on' }).click()
  await expect(sheet.getByRole('button', { name: 'Open again' })).toBeVisible()
  await expect(sheet.getByRole('button', { name: 'Add the note', exact: true })).toBeVisible()
  await expect(sheet.getByLabel('Note')).toHaveValue('I think it is fine')
})

test('a look shows the images of a chat', async ({ page }) => {
  const [admin, author, other] = await Promise.all([
    aMember({ role: 'admin' }),
    aMember({ firstName: 'Ima', lastName: 'Geniva' }),
    aMember(),
  ])
  const supervisor = await aSupervisor(admin, 'Iris')
  const chat = await aChat(author, other, `Look at this ${author.id}`)
  await sayInAnImage(author, chat)
  const deleted = await sayInAnImage(author, chat)
  await author.client
    .from('chat_messages')
    .update({ is_deleted: true })
    .eq('id', deleted)
    .throwOnError()
  await signIn(page, supervisor, '/supervision?tab=chats')
  await page.getByRole('searchbox').fill('ima geniva')
  await page
    .getByRole('button', { name: /Ima Geniva/ })
    .first()
    .click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Reason').fill('Complaint of a client')
  await sheet.getByRole('button', { name: 'Read the chat' }).click()
  await expect(sheet.getByRole('img', { name: /Ima Geniva/ })).toHaveCount(2)
  await expectAccessible(page)
})

test('a look begins with what was said last', async ({ page }) => {
  const [admin, author, other] = await Promise.all([
    aMember({ role: 'admin' }),
    aMember({ firstName: 'Lastly', lastName: 'Said' }),
    aMember(),
  ])
  const supervisor = await aSupervisor(admin, 'Laura')
  const chat = await aChat(author, other, 'The first')
  for (let number = 1; number <= 40; number++)
    await author.client
      .from('chat_messages')
      .insert({ chat_id: chat, sender_id: author.id, message: `Number ${number}` })
      .throwOnError()
  await signIn(page, supervisor, '/supervision?tab=chats')
  await page.getByRole('searchbox').fill('lastly said')
  await page
    .getByRole('button', { name: /Lastly Said/ })
    .first()
    .click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Reason').fill('Complaint of a client')
  await sheet.getByRole('button', { name: 'Read the chat' }).click()
  await expect(sheet.getByText('Number 40')).toBeInViewport()
  await expect(sheet.getByText('The first')).not.toBeInViewport()
})

test('a supervisor skips to the decision by keyboard, and is asked before deciding what another took', async ({
  page,
}) => {
  const slow = await aSupervisor(await aMember({ role: 'admin' }), 'Slow')
  const { sheet } = await openPromise(page, 'Quick')
  let respond = () => {}
  const mayRespond = new Promise<void>((resolve) => (respond = resolve))
  await expect(sheet.getByText('This look is recorded.')).toBeVisible()
  await page.route(/\/(rest|batch)\/v1/, async (route) => {
    const request = route.request()
    if (`${request.url()} ${request.postData()}`.includes('rpc/review_item')) await mayRespond
    await route.continue()
  })
  await sheet.getByLabel('Assigned to').selectOption(slow.id)
  await expect(page.getByText(/^Assigned to Slow/)).toBeVisible()
  await expect(sheet.getByRole('button', { name: 'Fine' })).toBeDisabled()
  respond()
  const skip = sheet.getByRole('link', { name: 'Skip to the decision' })
  await sheet.getByRole('button', { name: 'Close' }).focus()
  await page.keyboard.press('Tab')
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(sheet.getByLabel('Assigned to')).toBeFocused()
  await sheet.getByRole('button', { name: 'Fine' }).click()
  const question = page.getByRole('alertdialog', { name: /^Slow .* is on this$/ })
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  await sheet.getByRole('button', { name: 'Fine' }).click()
  await question.getByRole('button', { name: 'Decide: Fine' }).click()
  await expect(page.getByText('Decided: Fine')).toBeVisible()
  await expect(sheet).toBeHidden()
})

test('the lexicon shows where an entry was added, and takes no phrase twice', async ({ page }) => {
  const admin = await aMember({ role: 'admin' })
  const phrase = `zenith ${admin.id}`
  await signIn(page, await aSupervisor(admin, 'Dot'), '/supervision?tab=lexicon')
  await page.getByRole('searchbox').fill('cannot lose')
  const add = async () => {
    await page.getByRole('button', { name: 'Add an entry' }).click()
    await page.getByRole('dialog').getByLabel('Word or phrase').fill(phrase)
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  }
  await add()
  await expect(page.getByRole('button', { name: phrase })).toBeInViewport()
  await expect(page.getByRole('dialog')).toBeHidden()
  await add()
  await expect(page.getByRole('alert')).toHaveText(/^The lexicon has this phrase already/)
  await expect(page.getByRole('dialog').getByLabel('Word or phrase')).toHaveValue(phrase)
})

test('the lexicon is searched by words, category and language', async ({ page }) => {
  const admin = await aMember({ role: 'admin' })
  await signIn(page, await aSupervisor(admin, 'Lex'), '/supervision?tab=lexicon')
  const entries = page.getByRole('tabpanel').getByRole('listitem')
  const count = page.getByText(/\d+ of \d+ entries/)
  await page.getByRole('searchbox').fill('cannot lose')
  await expect(entries).toHaveCount(1)
  await expect(count).toHaveText(/^1 of/)
  await page.getByLabel('Language').selectOption('es')
  await expect(page.getByText('No entry found')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Show all entries' }).click()
  await expect(page.getByRole('searchbox')).toHaveValue('')
  await expect(count).toHaveText(/^(\d+) of \1 entries/)
})

test('a member who does not supervise is sent Home', async ({ page }) => {
  await signIn(page, await aMember(), '/supervision')
  await expect(page).toHaveURL(/home/)
})
