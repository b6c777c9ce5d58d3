import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { test } from './support/journey.ts'
import { aMember, type Member } from './support/members.ts'
import {
  anEditedMessage,
  aSupervisor,
  copyExportCommand,
  searchArchive,
} from './support/reviews.ts'
import { queryDatabase } from './support/server.ts'
import { signIn } from './support/sign-in.ts'

/** A promise in Spanish that its author has edited. */
const anEditedPromise = (edited: string) =>
  anEditedMessage((mark) => `Garantía del 12 % ${mark}`, edited)

async function openSearch(page: Page, supervisor: Member, words: string) {
  await signIn(page, supervisor, '/supervision?tab=search')
  await page.getByLabel('Words').fill(words)
}

async function downloaded(page: Page, button: string): Promise<string> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  return readFile(await (await download).path(), 'utf8')
}

test('a supervisor finds what was edited away, with a reason, and takes the result out', async ({
  page,
}) => {
  const { author, chat, supervisor, mark } = await anEditedPromise('Hello everybody')
  await openSearch(page, supervisor, `garantia ${mark}`)
  await page.getByRole('button', { name: 'Search the archive' }).click()
  await expect(page.getByText("Say why you're searching")).toBeVisible()
  await page.getByLabel('Reason').fill('Examination 2026')
  await page.getByLabel('First day').fill('2026-02-02')
  await page.getByLabel('Last day').fill('2026-02-01')
  await page.getByRole('button', { name: 'Search the archive' }).click()
  await expect(page.getByText('The last day is before the first')).toBeVisible()
  await page.getByLabel('First day').fill('')
  await page.getByLabel('Last day').fill('')
  await page.getByRole('button', { name: 'Search the archive' }).click()

  const found = page.getByRole('list', { name: 'Records found' })
  await expect(found.getByRole('article')).toHaveCount(2)
  const sent = found.getByRole('article').filter({ hasText: /^Sent/ })
  await expect(sent).toContainText(`Garantía del 12 % ${mark}`)
  await expect(sent).toContainText('Hello everybody')
  await expectAccessible(page)
  const isOfBefore = page.getByText('Found before you changed the form.')
  await expect(isOfBefore).toBeHidden()
  await page.getByLabel('Person').fill('Percy')
  await expect(isOfBefore).toBeVisible()

  await author.client
    .from('chat_messages')
    .insert({ chat_id: chat, sender_id: author.id, message: `Garantía ${mark}, said since` })
    .throwOnError()
  const lines = (await downloaded(page, 'Export as records')).trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { kind: string }).kind)).toEqual([
    'message.edited',
    'message.sent',
  ])
})

test('what a supervisor finds is exported as a table in which no cell is a formula, and that is recorded', async ({
  page,
}) => {
  const { author, supervisor, chat, mark } = await anEditedPromise('=SUM(1, 2) "sure"')
  await openSearch(page, supervisor, `garantia ${mark}`)
  await page.getByLabel('Reason').fill(`Examination ${mark}`)
  await page.getByRole('button', { name: 'Search the archive' }).click()
  await expect(page.getByRole('list', { name: 'Records found' })).toBeVisible()
  const table = await downloaded(page, 'Export as table')

  const records = await queryDatabase<{ kind: string; start: string }>(
    `select kind, concat_ws(',', seq, to_char(recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
       kind, actor_id, actor_name, actor_email, actor_role, chat_id, subject_id, member_id, audience) as start
     from archive.records where chat_id = $1 and kind like 'message.%' order by seq desc`,
    [chat],
  )
  const promise = `Garantía del 12 % ${mark}`
  expect(table).toBe(
    `\uFEFFseq,recorded_at,kind,actor_id,actor_name,actor_email,actor_role,chat_id,subject_id,member_id,audience,text,before,reason\r\n` +
      `${records[0]?.start},"'=SUM(1, 2) ""sure""",${promise},\r\n` +
      `${records[1]?.start},${promise},,\r\n`,
  )
  expect(records.map(({ kind }) => kind)).toEqual(['message.edited', 'message.sent'])
  expect(records[0]?.start).toContain(author.email)
  const taken = await queryDatabase(
    `select from archive.records where kind = 'export.page' and actor_id = $1 and content ->> 'reason' = $2`,
    [supervisor.id, `Examination ${mark}`],
  )
  expect(taken).toHaveLength(1)
})

test('what a supervisor found is in view, counted, and still there after another tab', async ({
  page,
}) => {
  const { supervisor, mark } = await anEditedPromise('Hello everybody')
  await signIn(page, supervisor, '/supervision?tab=search')
  await searchArchive(page, `garantia ${mark}`)
  await expect(page.getByText('2 records', { exact: true })).toBeInViewport()
  const made = () =>
    queryDatabase(`select from archive.records where kind = 'search.made' and actor_id = $1`, [
      supervisor.id,
    ])
  await page.getByRole('tab', { name: 'Lexicon' }).click()
  await expect(page.getByText('2 records', { exact: true })).toBeHidden()
  await page.getByRole('tab', { name: 'Search' }).click()
  await expect(page.getByText('2 records', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Words')).toHaveValue(`garantia ${mark}`)
  expect(await made()).toHaveLength(1)
})

test('what a supervisor finds says what it was before, and why it was removed', async ({
  page,
}) => {
  const { supervisor, chat, mark } = await anEditedPromise('Hello everybody')
  const [message] = await queryDatabase<{ id: string }>(
    'select id from chat_messages where chat_id = $1',
    [chat],
  )
  await supervisor.client
    .rpc('remove_message', { message_id: message?.id, reason: `Misleading ${mark}` })
    .throwOnError()
  await signIn(page, supervisor, '/supervision?tab=search')
  await searchArchive(page, mark)
  const found = page.getByRole('article')
  const removed = found.filter({ hasText: /^Removed/ })
  await expect(removed.getByText('Hello everybody', { exact: true })).toBeVisible()
  await expect(removed.getByText(`Reason: Misleading ${mark}`, { exact: true })).toHaveCount(1)
  const edited = found.filter({ hasText: /^Edited/ })
  await expect(edited.getByText(`Before: Garantía del 12 % ${mark}`, { exact: true })).toBeVisible()
  await expect(edited.getByText('Hello everybody', { exact: true })).toBeVisible()
})

test('a supervisor reads what was said around what was found, and that is recorded with the reason', async ({
  page,
}) => {
  const { author, supervisor, chat, mark } = await anEditedPromise('Hello everybody')
  await author.client
    .from('chat_messages')
    .insert({ chat_id: chat, sender_id: author.id, message: 'And what followed' })
    .throwOnError()
  await signIn(page, supervisor, '/supervision?tab=search')
  await searchArchive(page, `garantia ${mark}`)
  const sent = page.getByRole('article').filter({ hasText: /^Sent/ })
  await sent.getByRole('button', { name: 'Show in its conversation' }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText('This look is recorded.')).toBeVisible()
  await expect(sheet.getByText('And what followed')).toBeVisible()
  await expect(sheet.locator('[aria-current]')).toContainText(`Garantía del 12 % ${mark}`)
  await expectAccessible(page)
  const looks = await queryDatabase<{ reason: string }>(
    `select content ->> 'reason' as reason from archive.records
     where kind = 'look.made' and actor_id = $1 and chat_id = $2`,
    [supervisor.id, chat],
  )
  expect(looks).toEqual([{ reason: 'Examination 2026' }])
})

test('a person that is too many people is said at its field', async ({ page }) => {
  const admin = await aMember({ role: 'admin' })
  const crowd = `Crowd${admin.id.slice(0, 8)}`
  for (let at = 0; at < 21; at++) await aMember({ lastName: crowd })
  await signIn(page, await aSupervisor(admin, 'Wide'), '/supervision?tab=search')
  await page.getByLabel('Reason').fill('Examination 2026')
  const person = page.getByLabel('Person')
  await person.fill(crowd)
  await page.getByRole('button', { name: 'Search the archive' }).click()
  await expect(page.getByText('More than 20 people are called this')).toBeVisible()
  await expect(person).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeHidden()
  await expectAccessible(page)
  await person.fill(`${crowd} and more`)
  await expect(page.getByText('More than 20 people are called this')).toBeHidden()
})

test('what a supervisor finds comes with the command that exports all of it', async ({ page }) => {
  const { supervisor, mark } = await anEditedPromise('Hello everybody')
  await signIn(page, supervisor, '/supervision?tab=search')
  await searchArchive(page, `garantia ${mark}`)
  const [made] = await queryDatabase<{ seq: string }>(
    `select seq from archive.records where kind = 'search.made' and actor_id = $1`,
    [supervisor.id],
  )
  const command = `npm run archive -- export search-${made?.seq} --search ${made?.seq}`
  await expect(page.getByRole('code')).toHaveText(command)
  expect(await copyExportCommand(page)).toBe(command)
})
