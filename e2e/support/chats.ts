import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'
import type { Member } from './members.ts'

/** A chat created by its creator without a browser; two people make an individual one. */
export async function aChat(
  creator: Member,
  others: Member[],
  { name = `Squad ${randomUUID().slice(0, 6)}`, firstMessage = 'Welcome' } = {},
): Promise<{ id: string; name: string }> {
  const response = await creator.client.rpc('create_chat', {
    member_ids: others.map(({ id }) => id),
    name,
    first_message: firstMessage,
  })
  if (response.error) throw new Error(response.error.message)
  return { id: response.data as string, name }
}

export async function say(member: Member, chatId: string, message: string): Promise<string> {
  const id = randomUUID()
  const row = { id, chat_id: chatId, sender_id: member.id, message }
  const { error } = await member.client.from('chat_messages').insert(row)
  if (error) throw new Error(error.message)
  return id
}

export function composer(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Message', exact: true })
}

/** Searches a member in the picker and selects them, once the list has no other row. */
export async function choose(page: Page, { email }: Member): Promise<void> {
  await page.getByRole('searchbox').last().fill(email)
  await expect(page.getByRole('checkbox')).toHaveCount(1)
  await page.getByRole('checkbox', { name: new RegExp(email) }).check()
}

/** Types and sends a message, or saves an edit, with the button: on a phone, Enter starts a line. */
export async function write(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await page.getByRole('button', { name: /^(Send|Save)$/ }).click()
}

export async function openThread(page: Page, chatId: string): Promise<void> {
  await page.goto(`/chat/${chatId}`)
  await expect(thread(page)).toBeVisible()
}

/** The messages of the open chat. */
export function thread(page: Page): Locator {
  return page.getByRole('log', { name: 'Messages' })
}

/** The texts of the alerts from now on; each is accepted. */
export function alertsOf(page: Page): string[] {
  const texts: string[] = []
  page.on('dialog', (dialog) => {
    texts.push(dialog.message())
    void dialog.accept()
  })
  return texts
}

/** The number on the Chat tab as people read it; 0 without a badge. */
export async function badge(page: Page): Promise<string> {
  const tab = page.getByRole('navigation').getByRole('link', { name: /Chat$/ })
  const count = tab.locator('[aria-hidden=true]', { hasText: /\d/ })
  // Without waiting: the badge may disappear in between.
  const [text = '0'] = await count.allTextContents()
  return text
}
