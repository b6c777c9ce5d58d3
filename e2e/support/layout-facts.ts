import { expect, type Page } from '@playwright/test'
import { motionOver } from './accessibility.ts'

/** The design's smallest touch target (docs/design-system.md); WCAG 2.2 requires 24. */
const TARGET_PX = 44
/** Chrome's limit for a good page; a skeleton of the wrong height exceeds it. */
const SHIFT_LIMIT = 0.1

/** Records layout shifts; call it before the first page. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = globalThis as typeof globalThis & { layoutShift: number }
    seen.layoutShift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
        if (!shift.hadRecentInput) seen.layoutShift += shift.value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** How much moved since the page load, as Chrome counts it. */
export function shiftOf(page: Page): Promise<number> {
  return page.evaluate(
    () => (globalThis as typeof globalThis & { layoutShift: number }).layoutShift,
  )
}

/** Since the page load, nothing jumped: skeletons have the size of their content. */
export async function expectNoShift(page: Page, screen: string): Promise<void> {
  expect.soft(await shiftOf(page), `${screen} moved while it loaded`).toBeLessThan(SHIFT_LIMIT)
}

/** Nothing overflows, is cut off, is covered or is too small for a finger. */
export async function expectSoundLayout(page: Page, screen: string): Promise<void> {
  const { width } = page.viewportSize() ?? { width: 0 }
  await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width)
  await motionOver(page)
  // A menu that closes because the window became wide is gone a moment later.
  await expect
    .configure({ soft: true, timeout: 3_000 })
    .poll(() => page.evaluate(layoutFaults, TARGET_PX), { message: `${screen} at ${width} px` })
    .toEqual([])
}

/** Runs in the page. */
function layoutFaults(targetPx: number): string[] {
  const faults: string[] = []
  // Overlays cover the rest on purpose: a menu, a dialog, or the items that More opens.
  const open = '[role=menu], [role=dialog], [role=alertdialog], nav ul ul'
  const root = document.querySelector(open) ?? document.body
  const report = (element: Element, fault: string) =>
    faults.push(`${fault}: ${element.outerHTML.slice(0, 160)}`)

  const page = document.documentElement
  if (page.scrollWidth > page.clientWidth) faults.push(`the page scrolls sideways`)
  // Behind the login a screen scrolls inside its frame; with the document the tab bar would go, too.
  if (document.querySelector('#main') && page.scrollHeight > page.clientHeight)
    faults.push(`the document is ${page.scrollHeight} of ${page.clientHeight} px`)

  for (const element of root.querySelectorAll<HTMLElement>('*')) {
    const box = element.getBoundingClientRect()
    if (box.width < 2 || box.height < 2 || !isShown(element)) continue
    const style = getComputedStyle(element)
    if (/auto|scroll/.test(style.overflowY) && element.scrollWidth > element.clientWidth + 1) {
      report(element, 'scrolls sideways')
    }
    if (hasOwnText(element) && isCut(element, style)) report(element, 'text is cut')
    if (element.matches('h1, h2, h3') && breaksAWord(element)) report(element, 'a word breaks')
    if (element.matches('a, button, [role=tab], input, select, textarea, label:has(input)')) {
      checkTarget(element, box, style)
    }
  }
  return faults

  function checkTarget(element: HTMLElement, box: DOMRect, style: CSSStyleDeclaration) {
    if (box.right > innerWidth + 1 || box.left < -1) report(element, 'sticks out')
    // The skip link has its full size once it has focus.
    if (element.matches('.sr-only')) return
    const isInLabel = element.matches('input') && element.closest('label')
    const isInText = style.display === 'inline'
    if (isInLabel || isInText) return
    if (box.height < targetPx - 0.5 || box.width < targetPx - 0.5) {
      report(element, `target of ${Math.round(box.width)} × ${Math.round(box.height)}`)
    }
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
    if (!isInView(element, x, y)) return
    const top = document.elementFromPoint(x, y)
    if (top && !element.contains(top) && !top.contains(element)) report(element, 'is covered')
  }

  /** Neither scrolled away nor below the edge of a scroll container. */
  function isInView(element: HTMLElement, x: number, y: number) {
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return false
    for (let each = element.parentElement; each; each = each.parentElement) {
      const view = each.getBoundingClientRect()
      const clips = getComputedStyle(each).overflowY !== 'visible'
      // A pixel of tolerance: at the very edge the hit test may round either way.
      if (clips && (y < view.top + 1 || y > view.bottom - 1)) return false
    }
    return true
  }

  function isShown(element: HTMLElement) {
    return element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  }

  function hasOwnText(element: HTMLElement) {
    return [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim())
  }

  /** Addresses and made-up words may break, ordinary ones may not. */
  function breaksAWord(heading: HTMLElement) {
    const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      for (const word of (node.nodeValue ?? '').matchAll(/(?<!\S)\p{L}{2,16}(?!\S)/gu)) {
        range.setStart(node, word.index)
        range.setEnd(node, word.index + word[0].length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        if (lines.size > 1) return true
      }
    }
    return false
  }

  function isCut(element: HTMLElement, style: CSSStyleDeclaration) {
    // An ellipsis indicates that there is more, and so does a line clamp.
    if (style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none') return false
    if (style.display === 'inline' || element.matches('.sr-only, textarea, input')) return false
    return style.overflowX !== 'visible'
      ? element.scrollWidth > element.clientWidth + 1
      : element.getBoundingClientRect().right > innerWidth + 1
  }
}
