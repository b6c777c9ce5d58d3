import { expect } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, openThread, thread } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { pageOf } from './support/sign-in.ts'

test('a message is forwarded to several chats, once each, also offline, and says so', async ({
  browser,
}) => {
  const [ana, ben, cleo] = await Promise.all([
    aMember({ firstName: 'Ana' }),
    aMember({ firstName: 'Ben' }),
    aMember({ firstName: 'Cleo' }),
  ])
  const { id } = await aChat(ben, [ana], { firstMessage: 'Renewal is on Friday' })
  const squad = await aChat(ana, [cleo, await aMember()], { name: 'Closers of the west' })
  const pair = await aChat(ana, [cleo], { firstMessage: 'Hello Cleo' })
  const [anas, cleos] = [await pageOf(browser, ana), await pageOf(browser, cleo)]
  await openThread(cleos, squad.id)
  await openThread(anas, id)

  async function forwardTo(chats: string[]) {
    await thread(anas).getByText('Renewal is on Friday').click({ button: 'right' })
    await anas.getByRole('menuitem', { name: 'Forward' }).click()
    const sheet = anas.getByRole('dialog', { name: 'Forward to' })
    const submit = sheet.getByRole('button', { name: 'Forward' })
    await expect(submit).toBeDisabled()
    for (const name of chats) {
      await sheet.getByRole('searchbox').fill(name)
      await expect(sheet.getByRole('checkbox')).toHaveCount(1)
      await sheet.getByRole('checkbox', { name }).check()
    }
    await expectAccessible(anas)
    await submit.click()
    await expect(sheet).toBeHidden()
  }

  await forwardTo(['Closers of the west', 'Cleo'])
  const arrived = thread(cleos).getByRole('article').filter({ hasText: 'Renewal is on Friday' })
  await expect(arrived).toHaveCount(1)
  await expect(arrived.getByText('Forwarded')).toBeVisible()
  await openThread(cleos, pair.id)
  await expect(arrived.getByText('Forwarded')).toBeVisible()
  await expectAccessible(cleos)

  await openThread(anas, id)
  await anas.context().setOffline(true)
  await forwardTo(['Closers of the west'])
  await expect(anas.getByText("Will be forwarded when you're back online")).toBeVisible()
  await openThread(cleos, squad.id)
  await expect(arrived).toHaveCount(1)
  await anas.context().setOffline(false)
  await expect(arrived).toHaveCount(2)

  // Its sender takes it back, but does not put other words into it.
  await openThread(anas, squad.id)
  await thread(anas).getByText('Renewal is on Friday').last().click({ button: 'right' })
  await expect(anas.getByRole('menuitem', { name: 'Delete' })).toBeVisible()
  await expect(anas.getByRole('menuitem', { name: 'Edit' })).toHaveCount(0)
})

test('a photo is forwarded with the message, and the chat it went to sees it', async ({
  browser,
}) => {
  const [ana, ben, cleo] = await Promise.all([aMember(), aMember(), aMember({ firstName: 'Cleo' })])
  const { id } = await aChat(ben, [ana])
  const pair = await aChat(ana, [cleo], { firstMessage: 'Hello' })
  const [anas, cleos] = [await pageOf(browser, ana), await pageOf(browser, cleo)]
  await openThread(anas, id)
  const photo = await anas.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 40, height: 20 })
    canvas.getContext('2d')?.fillRect(0, 0, 40, 20)
    return canvas.toDataURL('image/jpeg').split(',')[1] ?? ''
  })
  await anas.getByLabel('Photos', { exact: true }).setInputFiles({
    name: 'photo.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from(photo, 'base64'),
  })
  await expect(anas.getByRole('button', { name: 'Remove photo.jpg' })).toBeVisible()
  await anas.getByRole('button', { name: 'Send' }).click()
  await expect(thread(anas).getByText('Sending…')).toHaveCount(0)
  const sent = thread(anas).getByRole('article').last()
  await sent.getByRole('button', { name: 'Message options' }).press('Enter')
  await anas.getByRole('menuitem', { name: 'Forward' }).press('Enter')
  const sheet = anas.getByRole('dialog', { name: 'Forward to' })
  await sheet.getByRole('searchbox').fill('Cleo')
  await sheet.getByRole('checkbox', { name: /Cleo/ }).check()
  await sheet.getByRole('button', { name: 'Forward' }).click()
  await openThread(cleos, pair.id)
  const arrived = thread(cleos).getByRole('article').filter({ hasText: 'Forwarded' })
  await expect(arrived.getByRole('img', { name: /^Image sent by/ })).toBeVisible()
})
