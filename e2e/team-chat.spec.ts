import { expect } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { test } from './support/journey.ts'
import { aMember, type Member } from './support/members.ts'
import { PROMISED, within } from './support/promised-times.ts'
import { pageOf } from './support/sign-in.ts'

test(
  "one member's message appears live in another's open thread and counts in a third's list",
  PROMISED,
  async ({ browser }) => {
    const [ana, ben, cleo] = await Promise.all([
      aMember({ firstName: 'Ana' }),
      aMember({ firstName: 'Ben' }),
      aMember({ firstName: 'Cleo' }),
    ])
    // Without unread messages a thread opens at the newest one, not at the first new one.
    await Promise.all([ana, ben, cleo].map(readTeamChat))
    const [anasPage, bensPage, cleosPage] = await Promise.all([
      pageOf(browser, ana),
      pageOf(browser, ben),
      pageOf(browser, cleo),
    ])
    for (const page of [anasPage, bensPage, cleosPage]) {
      await page.getByRole('navigation').getByRole('link', { name: /Chat/ }).click()
      await expect(page.getByRole('heading', { name: 'Chat', exact: true })).toBeVisible()
    }
    for (const page of [anasPage, bensPage]) {
      await page.getByRole('link', { name: /Rally Chat/ }).click()
      await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
    }
    const text = `Doors open at ${Date.now()}`
    await anasPage.getByRole('textbox', { name: 'Message' }).fill(text)
    await anasPage.getByRole('button', { name: 'Send' }).click()
    await expect(bensPage.getByRole('log').getByText(text)).toBeVisible(within(1000))
    await expect(anasPage.getByRole('log').getByText(text)).toHaveCount(1)
    await expect(cleosPage.getByRole('link', { name: /Rally Chat/ })).toContainText(
      text,
      within(2000),
    )
    await expect(cleosPage.getByRole('link', { name: /Rally Chat.*unread/ })).toBeVisible()
    await expectAccessible(bensPage)
    await expectAccessible(cleosPage)
  },
)

async function readTeamChat({ client }: Member) {
  const chat = await client
    .from('chats')
    .select('id')
    .eq('type', 'mandatory')
    .single<{ id: string }>()
  if (chat.error) throw new Error(chat.error.message)
  const { error } = await client.rpc('mark_chat_read', { chat_id: chat.data.id })
  if (error) throw new Error(error.message)
}
