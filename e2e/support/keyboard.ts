import { expect, type Locator, type Page } from '@playwright/test'

const MOST_PRESSES = 90

/** Presses Tab until `wanted` has focus. Fails if something on the way takes focus invisibly. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeAttached()
  const unseen: string[] = []
  for (let presses = 0; presses < MOST_PRESSES; presses++) {
    const { isThere, fault } = await wanted.evaluate(focusFacts)
    if (fault) unseen.push(fault)
    if (isThere) return expect(unseen).toEqual([])
    await page.keyboard.press('Tab')
  }
  await expect(wanted).toBeFocused()
}

/** Moves to it and presses a key. */
export async function pressOn(page: Page, wanted: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, wanted)
  await page.keyboard.press(key)
}

/** Moves to a field and types, replacing its content. */
export async function typeInto(page: Page, wanted: Locator, text: string): Promise<void> {
  await tabTo(page, wanted)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}

/** Opens the focused button's menu, moves to an item by its letters and presses it. */
export async function chooseFromMenu(page: Page, item: string): Promise<void> {
  await page.keyboard.press('Enter')
  // Before the menu has focus, keys would go to the button.
  await expect(page.getByRole('menu').locator(':focus')).toHaveCount(1)
  await page.keyboard.type(item)
  await expect(page.getByRole('menuitem', { name: item })).toBeFocused()
  await page.keyboard.press('Enter')
}

/** After an action: something has focus, and shows it if it is interactive. */
export async function expectFocusKept(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.tagName), { message: 'focus is lost' })
    .not.toBe('BODY')
  const { fault } = await page.locator(':focus').evaluate(focusFacts)
  expect(fault).toBe('')
}

/** After an action on a row: it has focus, or the row in its place. */
export async function expectFocusOnARow(page: Page): Promise<void> {
  await expect(page.locator('li:focus, li :focus')).toHaveCount(1)
  await expectFocusKept(page)
}

/** Runs in the page. A heading or a region takes focus only to be announced; it need not show it. */
async function focusFacts(wanted: Element): Promise<{ isThere: boolean; fault: string }> {
  const focused = document.activeElement
  const isThere = focused === wanted
  if (!(focused instanceof HTMLElement) || focused === document.body) return { isThere, fault: '' }
  if (focused.tabIndex < 0 && !focused.matches('[role=menuitem], [role=option]')) {
    return { isThere, fault: '' }
  }
  const name = focused.getAttribute('aria-label') ?? focused.textContent.trim().slice(0, 40)
  // A field's ring may be on its frame, a switch's on the image next to it.
  const frames = [
    focused,
    focused.parentElement,
    focused.nextElementSibling,
    focused.closest('label'),
  ]
  // A focus ring grows for a tenth of a second.
  if (!frames.some(shows)) {
    await Promise.allSettled(
      frames.flatMap((each) => each?.getAnimations() ?? []).map((each) => each.finished),
    )
  }
  if (!frames.some(shows)) return { isThere, fault: `focus does not show on ${name}` }
  const box = focused.getBoundingClientRect()
  const isInSight =
    box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth
  return { isThere, fault: isInSight ? '' : `${name} has focus out of sight` }

  function shows(frame: Element | null) {
    if (!frame) return false
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(frame)
    const hasOutline = outlineStyle !== 'none' && outlineWidth !== '0px'
    // A Tailwind ring is a shadow without blur.
    const hasRing = /0px 0px 0px [1-9]/.test(boxShadow)
    return hasOutline || hasRing || frame.matches('[role=menuitem][data-highlighted]')
  }
}
