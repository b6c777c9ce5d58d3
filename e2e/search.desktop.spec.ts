import { expect, type Browser, type Page } from '@playwright/test'
import { aChat, composer, say, thread } from './support/chats.ts'
import { anItem, aTitle } from './support/content.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { asksOneByOne } from './support/one-by-one.ts'
import { pageOf } from './support/sign-in.ts'

test('with the keyboard alone: open, choose with the arrows, go there, and back to where one was', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const title = aTitle('Orangery')
  await anItem('training', { title, category: 'Investments' })
  const { id } = await aChat(ben, [ana], { name: aTitle('Crew'), firstMessage: `About ${title}` })
  const other = await aChat(ben, [ana], { name: aTitle('Other') })
  const page = await pageOf(browser, ana, `/chat/${other.id}`)
  await composer(page).fill('Half a sentence')

  await page.keyboard.press('ControlOrMeta+k')
  const field = page.getByRole('combobox')
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(field).toHaveCount(0)
  await expect(composer(page)).toBeFocused()
  await expect(composer(page)).toHaveValue('Half a sentence')

  await page.keyboard.press('ControlOrMeta+k')
  await expect(field).toBeFocused()
  await page.keyboard.type(title)
  const options = page.getByRole('option')
  await expect(options).toHaveCount(2)
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(options.last()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/chat/${id}`))
  await expect(thread(page).getByText(`About ${title}`)).toBeVisible()

  await page.keyboard.press('ControlOrMeta+k')
  await expect(field).toBeFocused()
  await page.keyboard.type(title)
  await expect(options).toHaveCount(2)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article').filter({ hasText: title })).toBeFocused()
})

/** Home of a member who got these two messages; requests go out one by one. */
async function homeWithAChatAbout(browser: Browser, first: string, second: string): Promise<Page> {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ben, [ana], { name: aTitle('Crew'), firstMessage: first })
  await say(ben, id, second)
  const page = await pageOf(browser, ana, '/home')
  await asksOneByOne(page)
  await page.reload()
  return page
}

test('typing fast shows the results for the last letter alone', async ({ browser }) => {
  const page = await homeWithAChatAbout(browser, 'Lanterns', 'Lantana')
  let respond = () => {}
  const mayRespond = new Promise<void>((resolve) => (respond = resolve))
  let isAsked = false
  await page.route('**/rpc/search_everything', async (route) => {
    // The first response comes last.
    if (route.request().postData()?.includes('"lan"')) {
      isAsked = true
      await mayRespond
    }
    await route.continue().catch(() => undefined)
  })
  await expect(page.getByRole('button', { name: 'Search' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('lan')
  await expect.poll(() => isAsked).toBe(true)
  await page.getByRole('combobox').fill('lantana')
  await expect(page.getByRole('option')).toHaveCount(1)
  respond()
  await expect(page.getByRole('option', { name: /Lantana/ })).toBeVisible()
  await expect(page.getByRole('option')).toHaveCount(1)
})

test('Enter pressed before the response is there opens what it finds first', async ({
  browser,
}) => {
  const page = await homeWithAChatAbout(browser, 'Lantana', 'Lanterns')
  let respond = () => {}
  const mayRespond = new Promise<void>((resolve) => (respond = resolve))
  await page.route('**/rpc/search_everything', async (route) => {
    if (route.request().postData()?.includes('"lantana"')) await mayRespond
    await route.continue()
  })
  await expect(page.getByRole('button', { name: 'Search' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('lant')
  await expect(page.getByRole('option')).toHaveCount(2)
  await page.keyboard.type('ana')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/home/)
  respond()
  await expect(page).toHaveURL(/\/chat\/[\da-f-]{36}/)
  await expect(thread(page).getByText('Lantana')).toBeVisible()
})
