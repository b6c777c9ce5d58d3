import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { turnOnTwoStep } from './support/authenticator.ts'
import { aChat, composer, openThread, thread } from './support/chats.ts'
import { keysOnDevice } from './support/device-storage.ts'
import { test } from './support/journey.ts'
import { aMember, type Member } from './support/members.ts'
import { pageOf } from './support/sign-in.ts'

const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF')
const aPdf = (name: string) => ({ name, mimeType: 'application/pdf', buffer: PDF })
const aTable = {
  name: 'Prices.csv',
  mimeType: 'application/vnd.ms-excel',
  buffer: Buffer.from('a,b'),
}
const LONG = `${'Quarterly plan of the whole western region '.repeat(4)}.pdf`

const files = (page: Page) => page.getByLabel('Files', { exact: true })
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click()

async function twoPeople() {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  return { ana, ben, chat: await aChat(ana, [ben]) }
}

async function namesIn(member: Member, chatId: string) {
  const { data } = await member.client
    .from('chat_messages')
    .select('message, attachment')
    .eq('chat_id', chatId)
    .not('attachment', 'is', null)
    .order('sent_at')
  return (data as { message: string; attachment: { name: string } }[]).map(
    ({ message, attachment }) => [attachment.name, message],
  )
}

async function opensInline(page: Page, name: string) {
  const response = page
    .context()
    .waitForEvent('response', (each) => /object\/sign.*token/.test(each.url()))
  await thread(page).getByTitle(`Open ${name}`).click()
  expect((await (await response).allHeaders())['content-disposition']).toBe('inline')
}

test('several files are sent in their order; the other opens a PDF and saves a table', async ({
  browser,
}) => {
  const { ana, ben, chat } = await twoPeople()
  const [anas, bens] = [await pageOf(browser, ana), await pageOf(browser, ben)]
  await openThread(anas, chat.id)
  await openThread(bens, chat.id)
  await anas.getByRole('button', { name: 'Attach' }).click()
  const chooser = anas.waitForEvent('filechooser')
  await anas.getByRole('menuitem', { name: 'Files' }).click()
  await (await chooser).setFiles([aPdf('Plan.pdf'), aTable, aPdf(LONG)])
  await expect(anas.getByRole('button', { name: /^Remove/ })).toHaveCount(3)
  await expectAccessible(anas)
  await composer(anas).fill('Here they are')
  await send(anas)

  await expect(thread(bens).getByTitle(/^Open/)).toHaveCount(3)
  await expectAccessible(bens)
  expect(await namesIn(ben, chat.id)).toEqual([
    ['Plan.pdf', 'Here they are'],
    ['Prices.csv', ''],
    [LONG.replace(/ +\.pdf/, ' .pdf'), ''],
  ])
  await opensInline(bens, 'Plan.pdf')
  const download = bens.waitForEvent('download')
  await thread(bens).getByTitle('Open Prices.csv').click()
  expect((await download).suggestedFilename()).toBe('Prices.csv')
})

test('a member with two-step verification sends a file and opens it', async ({ browser }) => {
  const { ana, chat } = await twoPeople()
  const page = await pageOf(browser, ana)
  await turnOnTwoStep(page)
  await openThread(page, chat.id)
  await files(page).setInputFiles(aPdf('Plan.pdf'))
  await send(page)
  await opensInline(page, 'Plan.pdf')
})

test('what cannot be sent is refused in clear words, and what was typed stays', async ({
  browser,
}) => {
  const { ana, chat } = await twoPeople()
  const page = await pageOf(browser, ana)
  await openThread(page, chat.id)
  await composer(page).fill('Look at this')
  await files(page).setInputFiles([
    { name: 'run.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') },
    aPdf('Plan.pdf'),
  ])
  await expect(page.getByRole('alert')).toContainText(
    'run.exe: You can send photos, PDFs, Office files, text, video and audio',
  )
  await expect(page.getByRole('button', { name: 'Remove Plan.pdf' })).toBeVisible()
  await expect(composer(page)).toHaveValue('Look at this')
})

test('a program called a PDF is refused by the server, and can be discarded', async ({
  browser,
}) => {
  const { ana, chat } = await twoPeople()
  const page = await pageOf(browser, ana)
  page.on('dialog', (dialog) => void dialog.accept())
  await openThread(page, chat.id)
  await files(page).setInputFiles({ ...aPdf('Plan.pdf'), buffer: Buffer.from('MZ\x90\0\x03\0') })
  await expect(page.getByRole('button', { name: 'Remove Plan.pdf' })).toBeVisible()
  await send(page)
  await thread(page).getByRole('button', { name: 'Discard' }).click()
  await expect(thread(page).getByTitle('Open Plan.pdf')).toHaveCount(0)
})

test.describe('with a connection that breaks', () => {
  test.use({ serviceWorkers: 'allow' })

  test('twenty files arrive once each, in their order, however often it breaks', async ({
    browser,
  }) => {
    // Each loss is followed by a pause before the next try.
    const { ana, ben, chat } = await twoPeople()
    const page = await pageOf(browser, ana)
    await openThread(page, chat.id)
    await page.evaluate(() => navigator.serviceWorker.ready)
    const names = Array.from({ length: 20 }, (_, index) => `Plan ${index + 1}.pdf`)
    let uploads = 0
    let inserts = 0
    // Of six uploads and of six messages one does not get there, and of one that is stored the response is lost.
    await page.context().route(/\/storage\/v1\/object\/chat-images\//, async (route) => {
      const turn = uploads++
      if (turn % 6 === 1) return route.abort()
      if (turn % 6 === 4) await route.fetch().then(() => route.abort())
      else await route.continue()
    })
    await page.context().route(/\/rest\/v1\/chat_messages/, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      const turn = inserts++
      if (turn % 6 === 1) return route.abort()
      if (turn % 6 === 4) await route.fetch().then(() => route.abort())
      else await route.continue()
    })
    await files(page).setInputFiles(names.map(aPdf))
    await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(20)
    await page.context().setOffline(true)
    await send(page)
    await expect(thread(page).getByText('Waiting for connection…').first()).toBeVisible()
    await page.context().setOffline(false)
    await expect
      .poll(async () => (await namesIn(ben, chat.id)).map(([name]) => name), { timeout: 150_000 })
      .toEqual(names)
    await expect(thread(page).getByText(/Sending|Waiting/)).toHaveCount(0)
    expect([uploads > 20, inserts > 20]).toEqual([true, true])
  })
})

test('a file that waits offline can be canceled, and survives a reload until then', async ({
  browser,
}) => {
  const { ana, ben, chat } = await twoPeople()
  const page = await pageOf(browser, ana)
  await openThread(page, chat.id)
  let isCut = true
  await page.route(/\/storage\/v1\/object\/chat-images\//, (route) =>
    isCut ? route.abort() : route.continue(),
  )
  await files(page).setInputFiles([aPdf('First.pdf'), aPdf('Second.pdf')])
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(2)
  await send(page)
  await expect(thread(page).getByTitle('Open First.pdf')).toBeVisible()
  // Messages are shown before they are stored on the device.
  await expect.poll(() => keysOnDevice(page, 'chat-outbox', 'entries')).toHaveLength(2)
  await page.reload()
  const first = thread(page).getByRole('article').filter({ hasText: 'First.pdf' })
  await first.getByRole('button', { name: 'Cancel' }).click()
  await expect(first).toHaveCount(0)
  isCut = false
  await expect.poll(() => namesIn(ben, chat.id), { timeout: 30_000 }).toEqual([['Second.pdf', '']])
})
