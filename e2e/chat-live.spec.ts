import { expect, type Locator } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import {
  alertsOf,
  aChat,
  badge,
  composer,
  openThread,
  say,
  thread,
  write,
} from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { asksOneByOne } from './support/one-by-one.ts'
import { PROMISED, within } from './support/promised-times.ts'
import { pageOf } from './support/sign-in.ts'

test(
  'the badge is the same on every device within two seconds, and clears when the chat is read',
  PROMISED,
  async ({ browser }) => {
    // Without the team chat, in which other journeys write meanwhile.
    const permissions = { rally_enabled: false }
    const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana', permissions }), aMember()])
    const { id } = await aChat(ben, [ana], { firstMessage: 'One' })
    const [phone, tablet] = [await pageOf(browser, ana), await pageOf(browser, ana)]
    for (const page of [phone, tablet]) await expect.poll(() => badge(page)).toBe('1')
    await say(ben, id, 'Two')
    for (const page of [phone, tablet]) await expect.poll(() => badge(page), within(2000)).toBe('2')
    await phone.goto('/chat')
    await phone.getByRole('link', { name: /Two/ }).click()
    await expect(thread(phone).getByText('New messages')).toBeVisible()
    await expect.poll(() => badge(tablet), within(2000)).toBe('0')
  },
)

test('more than 99 unread messages show as 99+', async ({ browser }) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ben, [ana])
  const rows = Array.from({ length: 105 }, (_, n) => ({
    chat_id: id,
    sender_id: ben.id,
    message: `Message ${n}`,
  }))
  const { error } = await ben.client.from('chat_messages').insert(rows)
  expect(error).toBeNull()
  const page = await pageOf(browser, ana)
  await expect.poll(() => badge(page)).toBe('99+')
})

test('a sent message shows once, through sending, response and broadcast', async ({ browser }) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben])
  const page = await pageOf(browser, ana)
  await openThread(page, id)
  for (let n = 1; n <= 10; n++) await write(page, `Quick ${n}.`)
  await expect(thread(page).getByText('Sending…')).toHaveCount(0)
  for (let n = 1; n <= 10; n++) await expect(thread(page).getByText(`Quick ${n}.`)).toHaveCount(1)
  await composer(page).fill('More than fits\n'.repeat(20))
  expect((await composer(page).boundingBox())?.height).toBe(120)
  await composer(page).fill('Line one')
  await composer(page).press('Shift+Enter')
  await composer(page).pressSequentially('Line two')
  await expect(composer(page)).toHaveValue('Line one\nLine two')
  await write(page, 'Read https://example.com/deck?page=4, never javascript:alert(1)')
  const links = thread(page).getByRole('link')
  await expect(links).toHaveCount(1)
  await expect(links).toHaveAttribute('href', 'https://example.com/deck?page=4')
  await expect(links).toHaveAttribute('rel', /noopener/)
})

test('a chat is live even if the connection was lost while the app was loading', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben])
  const page = await pageOf(browser, ana)
  let isLost = true
  await page.route('**/assets/connect-realtime-*.js', (route) =>
    isLost ? route.abort('internetdisconnected') : route.continue(),
  )
  const failure = page.waitForEvent('console', (line) => line.text().startsWith('Live updates'))
  await openThread(page, id)
  await failure
  isLost = false
  await say(ben, id, 'Are you there?')
  await expect(thread(page).getByText('Are you there?')).toBeVisible()
})

test('replies, reactions, mentions, edits and deletions reach the other member live', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([
    aMember({ firstName: 'Ana' }),
    aMember({ firstName: 'Ben', lastName: 'Mentioned' }),
  ])
  const cleo = await aMember()
  const { id } = await aChat(ana, [ben, cleo])
  const [anasPage, bensPage] = [await pageOf(browser, ana), await pageOf(browser, ben)]
  await openThread(anasPage, id)
  await openThread(bensPage, id)

  const optionsOf = async (page: typeof anasPage, text: string) => {
    const message = thread(page).getByRole('article').filter({ hasText: text })
    await message.getByText(text).last().click({ button: 'right' })
  }
  await optionsOf(bensPage, 'Welcome')
  await bensPage.getByRole('menuitem', { name: 'Reply' }).click()
  await expect(bensPage.getByText('Replying to Ana Tester')).toBeVisible()
  await write(bensPage, 'Glad to be here')
  const reply = thread(anasPage).getByRole('article').filter({ hasText: 'Glad to be here' })
  await expect(reply.getByRole('button', { name: /Welcome/ })).toBeVisible()

  await optionsOf(anasPage, 'Glad to be here')
  await anasPage.getByRole('menuitem', { name: 'React with 🎉' }).click()
  const reaction = bensPage.getByRole('button', { name: '🎉, 1 reaction' })
  await expect(reaction).toHaveAttribute('aria-pressed', 'false')
  await reaction.click()
  await expect(anasPage.getByRole('button', { name: '🎉, 2 reactions' })).toBeVisible()

  await composer(anasPage).pressSequentially('Thanks @Ment')
  await expect(anasPage.getByRole('option', { name: 'Ben Mentioned' })).toBeVisible()
  await composer(anasPage).press('Enter')
  await anasPage.getByRole('button', { name: 'Send' }).click()
  await expect(thread(bensPage).getByText('@Ben Mentioned')).toBeVisible()
  await expectAccessible(anasPage)

  await optionsOf(bensPage, 'Glad to be here')
  await bensPage.getByRole('menuitem', { name: 'Edit' }).click()
  await write(bensPage, 'Happy to be here')
  await expect(thread(anasPage).getByText('Happy to be here')).toBeVisible()
  await expect(thread(anasPage).getByText('Edited')).toBeVisible()

  await optionsOf(bensPage, 'Happy to be here')
  await bensPage.getByRole('menuitem', { name: 'Delete' }).click()
  await bensPage.getByRole('button', { name: 'Delete' }).click()
  await expect(thread(anasPage).getByText('This message was deleted')).toBeVisible()
  await bensPage.getByRole('button', { name: 'Undo' }).click()
  await expect(thread(anasPage).getByText('Happy to be here')).toBeVisible()
})

test('a long press on a message opens its menu; on touch there is no button next to it', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ben, [ana], { firstMessage: 'Can you ride along?' })
  const page = await pageOf(browser, ana)
  await openThread(page, id)
  const message = thread(page).getByText('Can you ride along?')
  const box = await message.boundingBox()
  const finger = await page.context().newCDPSession(page)
  const at = [{ x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 8 }]
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at })
  await expect(page.getByRole('menuitem', { name: 'Reply' })).toBeVisible()
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('')
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'React with 👍' }).tap()
  await expect(page.getByRole('button', { name: '👍, 1 reaction' })).toBeVisible()
  const options = page.getByRole('button', { name: 'Message options' })
  await expect(options).toHaveCSS('opacity', '0')
  // A keyboard, or a screen reader, gets to it.
  await options.press('Enter')
  await page.getByRole('menuitem', { name: 'Reply' }).tap()
  await expect(page.getByText('Replying to Casey Tester')).toBeVisible()
})

/** A pressed message shrinks a little, and grows again for a moment after that. */
async function boxAtRest(message: Locator) {
  await message.evaluate(async (element) => {
    const moving = document.getAnimations().filter(({ effect }) => {
      const target = effect instanceof KeyframeEffect ? effect.target : null
      return target?.contains(element)
    })
    await Promise.allSettled(moving.map((each) => each.finished))
  })
  return message.boundingBox()
}

test('the menu of a message taller than the window opens where it is pressed, whole in view', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const lines = Array.from({ length: 90 }, (_, line) => `Line ${line}`).join('\n')
  const { id } = await aChat(ben, [ana], { firstMessage: lines })
  const page = await pageOf(browser, ana)
  await openThread(page, id)
  const message = thread(page).getByText('Line 0')
  const finger = await page.context().newCDPSession(page)
  for (const y of [200, 450, 700]) {
    const box = await boxAtRest(message)
    const at = [{ x: (box?.x ?? 0) + 20, y }]
    await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at })
    const menu = page.getByRole('menu')
    await expect(menu).toBeInViewport({ ratio: 0.99 })
    await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    const { top, bottom } = await menu.evaluate((element) => element.getBoundingClientRect())
    expect(Math.min(Math.abs(top - y), Math.abs(bottom - y))).toBeLessThan(60)
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    // Closing it does not scroll the thread to the button's place.
    expect(await boxAtRest(message)).toEqual(box)
  }
})

test('an admin removes a message with a reason', async ({ browser }) => {
  const [admin, ana] = await Promise.all([aMember({ role: 'admin' }), aMember()])
  const ben = await aMember()
  const { id } = await aChat(ana, [admin, ben], { firstMessage: 'Names a customer' })
  const [adminsPage, anasPage] = [await pageOf(browser, admin), await pageOf(browser, ana)]
  const bensPage = await pageOf(browser, ben)
  await openThread(bensPage, id)
  await openThread(anasPage, id)
  await asksOneByOne(adminsPage)
  await openThread(adminsPage, id)
  await thread(adminsPage).getByText('Names a customer').click({ button: 'right' })
  await adminsPage.getByRole('menuitem', { name: 'Remove' }).click()
  const remove = adminsPage.getByRole('button', { name: 'Remove' })
  await expect(remove).toBeDisabled()
  await adminsPage.getByLabel('Reason').fill('Customer data')
  // What was typed survives a lost connection.
  const alerts = alertsOf(adminsPage)
  await adminsPage.route('**/rpc/remove_message', (route) => route.abort('connectionreset'), {
    times: 1,
  })
  await remove.click()
  await expect.poll(() => alerts.join()).toContain('The server did not answer')
  await expect(adminsPage.getByLabel('Reason')).toHaveValue('Customer data')
  await remove.click()
  await expect(adminsPage.getByRole('dialog')).toBeHidden()
  await expect(thread(anasPage).getByText('Removed by your leaders: Customer data')).toBeVisible()
  await expect(thread(bensPage).getByText('Removed', { exact: true })).toBeVisible()
  await bensPage.reload()
  await expect(thread(bensPage).getByText('Names a customer')).toHaveCount(0)
  await expect(bensPage.getByText('Customer data')).toHaveCount(0)
})

test('typing, presence and read receipts show while they last', async ({ browser }) => {
  const [ana, ben] = await Promise.all([
    aMember({ firstName: 'Ana', role: 'admin' }),
    aMember({ firstName: 'Ben' }),
  ])
  const { id } = await aChat(ana, [ben])
  const [anasPage, bensPage] = [await pageOf(browser, ana), await pageOf(browser, ben)]
  await openThread(anasPage, id)
  await write(anasPage, 'Have you seen this?')
  // Ben has the app open, not this chat.
  await expect(anasPage.getByRole('heading').getByText('Online')).toBeVisible()
  await openThread(bensPage, id)
  await expect(thread(anasPage).getByRole('button', { name: 'Seen', exact: true })).toBeVisible()
  await composer(bensPage).pressSequentially('Yes')
  await expect(anasPage.getByText('Ben is typing…')).toBeVisible()
  await bensPage.getByRole('button', { name: 'Send' }).click()
  await expect(anasPage.getByText('Ben is typing…')).toHaveCount(0)

  const seenByMembers = thread(bensPage).getByRole('button', { name: 'Seen', exact: true })
  await expect(seenByMembers).toBeVisible()
  await anasPage.goto('/admin/settings')
  // The native switch is hidden beneath its drawing.
  const setting = anasPage.getByText('Show read receipts')
  await setting.click()
  await expect(seenByMembers).toHaveCount(0)
  await setting.click()
  await expect(seenByMembers).toBeVisible()

  await anasPage.goto('/chat')
  await expect(anasPage.getByRole('link', { name: /Ben Tester \(Online\)/ })).toBeVisible()
  await bensPage.close()
  await expect(anasPage.getByRole('link', { name: /Ben Tester \(Online\)/ })).toHaveCount(0)
})

test('an image is sent, and only participants can see it', async ({ browser }) => {
  const [ana, ben, outsider] = await Promise.all([
    aMember({ firstName: 'Ana' }),
    aMember(),
    aMember(),
  ])
  const { id } = await aChat(ana, [ben])
  const [anasPage, bensPage] = [await pageOf(browser, ana), await pageOf(browser, ben)]
  await openThread(anasPage, id)
  await openThread(bensPage, id)
  const picture = await anasPage.locator('main').screenshot()
  await anasPage
    .getByLabel('Photos', { exact: true })
    .setInputFiles({ name: 'deck.png', mimeType: 'image/png', buffer: picture })
  await expect(anasPage.getByRole('button', { name: 'Remove deck.png' })).toBeVisible()
  await anasPage.getByRole('button', { name: 'Send' }).click()
  await expect(bensPage.getByRole('img', { name: 'Image sent by Ana Tester' })).toBeVisible()
  await bensPage.getByTitle('Open the image').click()
  const viewer = bensPage.getByRole('dialog', { name: 'Image sent by Ana Tester' })
  const { width } = bensPage.viewportSize() ?? { width: 0 }
  expect((await viewer.boundingBox())?.width).toBe(width)
  expect((await viewer.getByRole('img').boundingBox())?.width).toBe(width)
  await expectAccessible(bensPage)
  await viewer.getByRole('button', { name: 'Zoom in' }).click()
  expect((await viewer.getByRole('img').boundingBox())?.width).toBe(width * 1.5)
  const download = bensPage.waitForEvent('download')
  await viewer.getByRole('button', { name: 'Save image' }).click()
  expect((await download).suggestedFilename()).toBe('Chat photo.jpg')
  await viewer.getByRole('button', { name: 'Close' }).click()
  await expectAccessible(bensPage)

  const { data } = await ben.client
    .from('chat_messages')
    .select('attachment')
    .not('attachment', 'is', null)
    .eq('chat_id', id)
    .single<{ attachment: { path: string } }>()
  const path = data?.attachment.path ?? ''
  expect(path).toBeTruthy()
  const stolen = await outsider.client.storage.from('chat-images').download(path)
  expect(stolen.error).not.toBeNull()
})
