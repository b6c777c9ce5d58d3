import { expect } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { pick } from './support/reviews.ts'
import { signIn } from './support/sign-in.ts'

test('an admin places a hold on a member, who cannot be erased, and lifts it with a reason', async ({
  page,
}) => {
  const [admin, rep] = await Promise.all([
    aMember({ role: 'admin' }),
    aMember({ firstName: 'Holda', lastName: 'Kept' }),
  ])
  await signIn(page, admin, '/admin')
  await page.getByRole('link', { name: /^Records and legal holds/ }).click()
  await page.getByRole('button', { name: 'Place a hold' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Reason').fill('Case 4711')
  await sheet.getByRole('button', { name: 'Place a hold' }).click()
  await expect(sheet.getByRole('alert')).toHaveText('Choose whom or what the hold is on')
  await sheet.getByRole('button', { name: 'Choose a member' }).click()
  const picker = page.getByRole('dialog', { name: 'Choose a member' })
  await pick(picker, rep.email, 'Holda Kept')
  await expect(picker).toBeHidden()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Place a hold' }).dblclick()
  const row = page.getByRole('listitem').filter({ hasText: 'Holda Kept' })
  await expect(row).toHaveCount(1)
  await expect(page.getByText('The hold is placed')).toHaveCount(1)
  await expect(row).toContainText('Case 4711')
  await page.getByRole('button', { name: 'Place a hold' }).click()
  await sheet.getByRole('button', { name: 'Choose a member' }).click()
  await pick(picker, rep.email, 'Holda Kept')
  await expect(sheet.getByText('On hold already: Case 4711')).toBeVisible()
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect(sheet).toBeHidden()

  expect((await rep.client.rpc('delete_my_account')).error).toBeNull()
  await page.reload()
  await expect(row).toBeVisible()

  await row.getByRole('button', { name: 'Lift the hold on Holda Kept' }).click()
  const lifting = page.getByRole('dialog')
  await lifting.getByRole('button', { name: 'Lift', exact: true }).click()
  await expect(lifting.getByText('Give a reason')).toBeVisible()
  await lifting.getByLabel('Reason').fill('Settled')
  await lifting.getByRole('button', { name: 'Lift', exact: true }).click()
  await expect(page.getByText(/Lifted by .*: Settled/).first()).toBeVisible()
  await page.goto('/admin/audit')
  await expect(page.getByRole('button', { name: /lifted the legal hold on/ }).first()).toBeVisible()
})

test('an admin places a hold on a group they are not in, and reads nothing of it', async ({
  page,
}) => {
  const [admin, creator, one, other] = await Promise.all([
    aMember({ role: 'admin' }),
    aMember(),
    aMember(),
    aMember(),
  ])
  const name = `Squad ${creator.id}`
  await creator.client
    .rpc('create_chat', { member_ids: [one.id, other.id], name, first_message: 'Between us' })
    .throwOnError()
  await signIn(page, admin, '/admin/records')
  await page.getByRole('button', { name: 'Place a hold' }).click()
  const sheet = page.getByRole('dialog', { name: 'Place a hold' })
  await sheet.getByText('Group', { exact: true }).click()
  await sheet.getByRole('button', { name: 'Choose a group' }).click()
  const picker = page.getByRole('dialog', { name: 'Choose a group' })
  await picker.getByRole('searchbox').fill('no such group')
  await expect(picker.getByText('No group has this name.')).toBeVisible()
  await picker.getByRole('searchbox').fill(name)
  await expect(picker.getByRole('button', { name })).toContainText('3')
  await expectAccessible(page)
  await pick(picker, name, name)
  await expect(picker).toBeHidden()
  await sheet.getByLabel('Reason').fill('Case 4712')
  await sheet.getByRole('button', { name: 'Place a hold' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText('In force')
})

test('keeping records for a shorter time asks first, and can be put back', async ({ page }) => {
  const admin = await aMember({ role: 'admin' })
  await signIn(page, admin, '/admin/settings')
  const reactions = page.getByLabel('Reactions')
  await expect(reactions).toHaveValue('6')
  await reactions.selectOption('4')
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(reactions).toHaveValue('6')
  await reactions.selectOption('7')
  await expect(page.getByText('Saved')).toBeVisible()
  await page.reload()
  await expect(reactions).toHaveValue('7')
  await reactions.selectOption('6')
  await question.getByRole('button', { name: 'Delete older ones' }).click()
  await expect(page.getByText('Saved')).toBeVisible()
  await page.reload()
  await expect(reactions).toHaveValue('6')
})
