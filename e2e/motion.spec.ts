import { expect, type Page } from '@playwright/test'
import { aChat } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember, type Member } from './support/members.ts'
import { signIn } from './support/sign-in.ts'

/** What reduced motion leaves of an animation, so that code waiting for its end continues. */
const UNSEEN_MS = 1

test.beforeEach(({ page }) => watchMotion(page))

test('with reduced motion no screen, dialog, menu or screen change moves', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signIn(page, await aMemberWithAChat())
  await roam(page)
  const motions = await seenMotions(page)
  expect(motions.length).toBeGreaterThan(0)
  expect(motions.filter(({ ms }) => ms > UNSEEN_MS)).toEqual([])
})

test('otherwise a deeper screen slides in from the right and the way back from the left', async ({
  page,
}) => {
  await signIn(page, await aMemberWithAChat())
  await roam(page)
  const named = (await seenMotions(page)).filter(({ ms }) => ms > UNSEEN_MS).map(({ name }) => name)
  for (const name of ['appear', 'rise', 'arrive-deeper', 'arrive-back'])
    expect(named).toContain(name)
})

/** Every kind of thing that can move, by links without page loads, which would clear the recording. */
async function roam(page: Page) {
  const tab = (name: string) => page.getByRole('navigation').getByRole('link', { name })
  await page.getByRole('link', { name: /New Rep Start/ }).click()
  await expect(page.getByRole('article').first()).toBeVisible()
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page).toHaveURL(/home$/)
  await page.getByRole('button', { name: 'More' }).click()
  await tab('Profile').click()
  await page.getByRole('button', { name: 'Change name' }).click()
  // The sheet grows when its form has loaded, and its button moves.
  await expect(page.getByRole('dialog').getByLabel('First Name')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Log out of all devices' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await tab('Notifications').click()
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByText('No push during quiet hours').click()
  await page.getByText('No push during quiet hours').click()
  await tab('Chat').click()
  await page.getByRole('link', { name: /Squad/ }).click()
  await page.getByRole('button', { name: 'Message options' }).last().press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Back to chats' }).click()
  await expect(page).toHaveURL(/chat$/)
}

async function aMemberWithAChat(): Promise<Member> {
  const [ana, ben] = await Promise.all([aMember(), aMember()])
  await aChat(ana, [ben, await aMember()], { name: 'Squad' })
  return ana
}

type Motion = { name: string; ms: number }
type Watched = typeof globalThis & { motions: Motion[] }

async function watchMotion(page: Page) {
  await page.addInitScript(() => {
    const watched = globalThis as Watched
    watched.motions = []
    const note = ({ target }: Event) => {
      if (!(target instanceof Element)) return
      for (const each of target.getAnimations({ subtree: true })) {
        const ms = Number(each.effect?.getComputedTiming().duration ?? 0)
        const name = each instanceof CSSAnimation ? each.animationName : 'transition'
        watched.motions.push({ name, ms })
      }
    }
    for (const type of ['animationstart', 'transitionrun']) addEventListener(type, note, true)
  })
}

function seenMotions(page: Page): Promise<Motion[]> {
  return page.evaluate(() => (globalThis as Watched).motions)
}
