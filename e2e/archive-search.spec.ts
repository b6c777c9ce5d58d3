import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { signIn } from './support/sign-in.ts'

test('a supervisor finds what was edited away, with a reason, and takes the result out', async ({
  page,
}) => {
  const [admin, author, other, supervisor] = await Promise.all([
    aMember({ role: 'admin' }),
    aMember({ firstName: 'Percy', lastName: 'Promise' }),
    aMember(),
    aMember({ firstName: 'Susan', lastName: 'Watcher' }),
  ])
  await admin.client
    .rpc('set_supervisor', { member_id: supervisor.id, can_supervise: true })
    .throwOnError()
  const mark = author.id.slice(0, 8)
  const opened: { data: unknown } = await author.client
    .rpc('create_chat', {
      member_ids: [other.id],
      name: null,
      first_message: `Garantía del 12 % ${mark}`,
    })
    .throwOnError()
  await author.client
    .from('chat_messages')
    .update({ message: 'Hello everybody' })
    .eq('chat_id', String(opened.data))
    .throwOnError()

  await signIn(page, supervisor, '/supervision?tab=search')
  await page.getByLabel('Words').fill(`garantia ${mark}`)
  await page.getByRole('button', { name: 'Search the archive' }).click()
  await expect(page.getByText("Say why you're searching")).toBeVisible()
  await page.getByLabel('Reason').fill('Examination 2026')
  await page.getByRole('button', { name: 'Search the archive' }).click()

  const found = page.getByRole('list', { name: 'Records found' })
  await expect(found.getByRole('article')).toHaveCount(2)
  const sent = found.getByRole('article').filter({ hasText: /^Sent/ })
  await expect(sent).toContainText(`Garantía del 12 % ${mark}`)
  await expect(sent).toContainText('Hello everybody')
  await expectAccessible(page)

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as records' }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { kind: string }).kind)).toEqual([
    'message.edited',
    'message.sent',
  ])
})
