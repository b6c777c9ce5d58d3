import { expect } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { aSupervisor } from './support/reviews.ts'
import { signIn } from './support/sign-in.ts'

test('the rail leads supervisors to the queue, and nobody else', async ({ page }) => {
  const admin = await aMember({ role: 'admin' })
  await signIn(page, await aSupervisor(admin, 'Rae'))
  const rail = page.getByRole('navigation')
  await rail.getByRole('link', { name: /Supervision/ }).click()
  await expect(page.getByRole('heading', { name: 'Supervision' })).toBeVisible()
  await expect(rail.getByRole('link', { name: /Supervision/ })).toHaveAttribute(
    'aria-current',
    'page',
  )
  await expectAccessible(page)
})

test('an admin who does not supervise finds no way there', async ({ page }) => {
  await signIn(page, await aMember({ role: 'admin' }))
  const rail = page.getByRole('navigation')
  await expect(rail.getByRole('link', { name: 'Admin' })).toBeVisible()
  await expect(rail.getByRole('link', { name: /Supervision/ })).toHaveCount(0)
})

test('taking the permission away asks too, and says what changes', async ({ page }) => {
  const admin = await aMember({ role: 'admin' })
  const supervisor = await aSupervisor(admin, 'Tia')
  await signIn(page, admin, '/admin/members')
  await page.getByRole('searchbox').fill(supervisor.email)
  await page.getByRole('button', { name: /Tia Watcher/ }).click()
  const supervises = page.getByRole('switch', { name: /^Supervises/ })
  await expect(supervises).toBeChecked()
  await page.getByText(/^Supervises/).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('no longer see the review queue')
  await question.getByRole('button', { name: 'End supervision' }).dblclick()
  await expect(page.getByText('Tia Watcher no longer supervises')).toBeVisible()
  await expect(supervises).not.toBeChecked()
})
