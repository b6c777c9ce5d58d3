import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, composer, openThread, say, thread, write } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { pageOf } from './support/sign-in.ts'

test.use({ serviceWorkers: 'allow' })

/** All that a page can read of what lies on the device, as one text. */
const onDevice = (page: Page) =>
  page.evaluate(async () => {
    const found: unknown[] = [{ ...localStorage }, { ...sessionStorage }]
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((done) => {
        const opening = indexedDB.open(name ?? '')
        opening.onsuccess = () => done(opening.result)
      })
      for (const store of database.objectStoreNames) {
        const reading = database.transaction(store).objectStore(store).getAll()
        await new Promise((done) => (reading.onsuccess = done))
        found.push({ [`${name}/${store}`]: reading.result as unknown[] })
      }
      database.close()
    }
    return JSON.stringify({ found, caches: await caches.keys() })
  })

test('a member who logs out is asked about unsent words, and leaves nothing on the device', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Anastasia' }), aMember()])
  const { id } = await aChat(ana, [ben])
  await say(ben, id, 'The secret plan')
  const page = await pageOf(browser, ana)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await openThread(page, id)
  await expect(thread(page).getByText('The secret plan')).toBeVisible()
  // Refused for good, so that it waits in the outbox while the server can be reached.
  await page.route('**/rest/v1/chat_messages*', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  )
  await write(page, 'Not sent yet')
  await composer(page).fill('Half a thought')
  await expect.poll(() => onDevice(page)).toContain('Not sent yet')
  await expect.poll(() => onDevice(page)).toContain('The secret plan')
  expect(await onDevice(page)).toContain('Half a thought')
  await page.evaluate(() => localStorage.setItem('theme', 'dark'))

  await page.goto('/profile')
  const question = page.getByRole('alertdialog')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(question).toContainText("haven't sent")
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await onDevice(page)).toContain('Half a thought')
  expect(await onDevice(page)).toContain('early-batches')

  await page.getByRole('button', { name: 'Logout' }).click()
  await question.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
  const secrets = ['Not sent yet', 'Half a thought', 'The secret plan', 'Anastasia', ana.id]
  for (const secret of [...secrets, 'early-batches'])
    await expect.poll(() => onDevice(page)).not.toContain(secret)
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('dark')
  expect(await page.evaluate(() => caches.has('content-images'))).toBe(false)
})
