import { expect } from '@playwright/test'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { publish } from './support/notices.ts'
import { signIn } from './support/sign-in.ts'

test('each figure of the dashboard leads to what it counts', async ({ page }) => {
  const [admin, rep] = await Promise.all([aMember({ role: 'admin' }), aMember()])
  const title = `Read by Friday ${admin.id.slice(0, 8)}`
  await publish(admin, title, rep)
  await signIn(page, admin, '/admin')
  const figure = (name: RegExp) => page.getByRole('link', { name })
  const count = async (name: RegExp) => Number(/\d+/.exec(await figure(name).innerText())?.[0])

  await expect(figure(/Unacknowledged notices/)).toBeVisible()
  expect(await count(/Unacknowledged notices/)).toBeGreaterThan(0)
  await figure(/Unacknowledged notices/).click()
  await expect(page.getByRole('heading', { name: title })).toBeVisible()

  await page.goto('/admin')
  await figure(/New this week/).click()
  await page.getByRole('searchbox').fill(rep.email)
  await expect(page.getByLabel('Show', { exact: true })).toHaveValue('new')
  await expect(page.getByRole('button', { name: /Casey Tester/ })).toHaveCount(1)

  await page.goto('/admin')
  await figure(/Next meeting/).click()
  await expect(page).toHaveURL(/type=schedule/)
  await expect(page.getByRole('button', { name: /^Edit / }).first()).toBeVisible()

  await page.goto('/admin')
  await figure(/Broken links/).click()
  await expect(page.getByRole('heading', { name: 'Broken links' })).toBeVisible()

  await page.goto('/admin')
  await figure(/^System/).click()
  await expect(page.getByRole('heading', { name: 'System', level: 1 })).toBeVisible()
})
