import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'
import { thread } from './chats.ts'
import { aMember, serviceClient, type Member } from './members.ts'
import { queryDatabase } from './server.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** What the server does once a minute: seals, and goes through what was sealed. */
export async function workerStep() {
  const service = await serviceClient()
  const [newest] = await queryDatabase<{ seq: string }>(
    'select max(seq)::text as seq from archive.records',
  )
  const isSealed = async () => {
    await service.rpc('seal_archive').throwOnError()
    const [last] = await queryDatabase<{ covers: boolean }>(
      'select (archive.last_seal()).to_seq >= $1 as covers',
      [newest?.seq],
    )
    return last?.covers
  }
  const isGoneThrough = async () => {
    const response = await service.rpc('review_new_messages').throwOnError()
    return (response.data as { is_done: boolean }).is_done
  }
  // A transaction of another test may delay sealing, and a mark it delayed ends before what was said since.
  await expect.poll(isSealed).toBe(true)
  await expect.poll(isGoneThrough).toBe(true)
}

/** A member whom the admin has made a supervisor. */
export async function aSupervisor(admin: Member, firstName: string) {
  const member = await aMember({ firstName, lastName: 'Watcher' })
  await admin.client
    .rpc('set_supervisor', { member_id: member.id, can_supervise: true })
    .throwOnError()
  return member
}

/** A chat of two that begins with a message. */
export async function aChatOfTwo(author: Member, other: Member, first_message: string) {
  const response = await author.client
    .rpc('create_chat', { member_ids: [other.id], name: null, first_message })
    .throwOnError()
  return response.data as string
}

/** A message that its author has edited, who supervises, and a mark that no other message has, for `said`. */
export async function anEditedMessage(said: (mark: string) => string, edited: string) {
  const [admin, author, other] = await Promise.all([
    aMember({ role: 'admin' }),
    aMember({ firstName: 'Percy', lastName: 'Promise' }),
    aMember(),
  ])
  const supervisor = await aSupervisor(admin, 'Susan')
  const mark = author.id.slice(0, 8)
  const chat = await aChatOfTwo(author, other, said(mark))
  await author.client
    .from('chat_messages')
    .update({ message: edited })
    .eq('chat_id', chat)
    .throwOnError()
  return { author, supervisor, chat, mark }
}

/** Picks the one thing that a sheet finds, once it is alone: a row that moves while it is pressed takes no click. */
export async function pick(sheet: Locator, words: string, name: string) {
  await sheet.getByRole('searchbox').fill(words)
  // The others close the sheet and clear the search.
  await expect(sheet.getByRole('button')).toHaveCount(3)
  await sheet.getByRole('button', { name }).click()
}

/** Searches the archive by words, on its screen. */
export async function searchArchive(page: Page, words: string) {
  await page.getByLabel('Words').fill(words)
  await page.getByLabel('Reason').fill('Examination 2026')
  await page.getByRole('button', { name: 'Search the archive' }).click()
  await expect(page.getByRole('list', { name: 'Records found' })).toBeVisible()
}

/** Copies the command above the results. @returns what the clipboard gets */
export async function copyExportCommand(page: Page): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy command' }).click()
  await expect(page.getByText('Command copied')).toBeVisible()
  return page.evaluate(() => navigator.clipboard.readText())
}

/** Sends an image without words; returns the message's id. */
export async function sayInAnImage({ client, id: sender_id }: Member, chat_id: string) {
  const id = randomUUID()
  const path = `${chat_id}/${id}.png`
  const { error } = await client.storage
    .from('chat-images')
    .upload(path, PNG, { contentType: 'image/png' })
  if (error) throw error
  await client
    .from('chat_messages')
    .insert({
      id,
      chat_id,
      sender_id,
      message: '',
      attachment: { path, width: 120, height: 120 },
    })
    .throwOnError()
  return id
}

/** Fills in the report of a message in the open chat. @returns the sheet, not sent yet */
export async function fillReport(page: Page, words: string, reason: string, note: string) {
  await thread(page).getByText(words).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Report' }).click()
  const sheet = page.getByRole('dialog', { name: 'Report this message' })
  await sheet.getByLabel('What is wrong?').selectOption({ label: reason })
  await sheet.getByLabel('More about it (optional)').fill(note)
  return sheet
}

/** A row of the queue, by its source and words after it: the sample, drawn by chance, may have the same message. */
export const itemRow = (page: Page, source: 'Lexicon' | 'Report', words: string) =>
  page.getByRole('button', { name: new RegExp(`${source}.*${words}`) })
