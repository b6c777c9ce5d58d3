import { expect, type Page } from '@playwright/test'
import { motionOver } from './accessibility.ts'

/** The product's smallest target (DESIGN section 5); WCAG 2.2 asks for 24. */
const TARGET_PX = 44
/** Chrome's own limit for a good page; what a skeleton of the wrong height costs lies above it. */
const SHIFT_LIMIT = 0.1

/** Counts what moves without a press; call it before the first page. */
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

/** Since the page was loaded, nothing jumped: skeletons have the size of what they stand for. */
export async function expectNoShift(page: Page, screen: string): Promise<void> {
  const shift = await page.evaluate(
    () => (globalThis as typeof globalThis & { layoutShift: number }).layoutShift,
  )
  expect.soft(shift, `${screen} moved while it loaded`).toBeLessThan(SHIFT_LIMIT)
}

/** Nothing sticks out, is cut off, lies under something else or is too small for a finger. */
export async function expectSoundLayout(page: Page, screen: string): Promise<void> {
  const { width } = page.viewportSize() ?? { width: 0 }
  await page.waitForFunction((expected) => innerWidth === expected, width)
  await motionOver(page)
  const faults = await page.evaluate(layoutFaults, TARGET_PX)
  expect.soft(faults, `${screen} at ${width} px`).toEqual([])
}

/** Runs in the page. */
function layoutFaults(targetPx: number): string[] {
  const faults: string[] = []
  // What is open lies over the rest on purpose: a menu, a dialog, or the row that More opens.
  const open = '[role=menu], [role=dialog], [role=alertdialog], nav ul ul'
  const root = document.querySelector(open) ?? document.body
  const tell = (element: Element, fault: string) =>
    faults.push(`${fault}: ${element.outerHTML.slice(0, 160)}`)

  const page = document.documentElement
  if (page.scrollWidth > page.clientWidth) faults.push(`the page scrolls sideways`)

  for (const element of root.querySelectorAll<HTMLElement>('*')) {
    const box = element.getBoundingClientRect()
    if (box.width < 2 || box.height < 2 || !isShown(element)) continue
    const style = getComputedStyle(element)
    if (/auto|scroll/.test(style.overflowY) && element.scrollWidth > element.clientWidth + 1) {
      tell(element, 'scrolls sideways')
    }
    if (hasOwnText(element) && isCut(element, style)) tell(element, 'text is cut')
    if (element.matches('a, button, [role=tab], input, select, textarea, label:has(input)')) {
      checkTarget(element, box, style)
    }
  }
  return faults

  function checkTarget(element: HTMLElement, box: DOMRect, style: CSSStyleDeclaration) {
    if (box.right > innerWidth + 1 || box.left < -1) tell(element, 'sticks out')
    // The skip link is as large as it needs once it has focus.
    if (element.matches('.sr-only')) return
    const isInLabel = element.matches('input') && element.closest('label')
    const isInText = style.display === 'inline'
    if (isInLabel || isInText) return
    if (box.height < targetPx - 0.5 || box.width < targetPx - 0.5) {
      tell(element, `target of ${Math.round(box.width)} × ${Math.round(box.height)}`)
    }
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
    if (!isInView(element, x, y)) return
    const top = document.elementFromPoint(x, y)
    if (top && !element.contains(top) && !top.contains(element)) tell(element, 'is covered')
  }

  /** Neither scrolled away nor below the edge of a list that scrolls. */
  function isInView(element: HTMLElement, x: number, y: number) {
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return false
    for (let each = element.parentElement; each; each = each.parentElement) {
      const view = each.getBoundingClientRect()
      const clips = getComputedStyle(each).overflowY !== 'visible'
      if (clips && (y < view.top || y > view.bottom)) return false
    }
    return true
  }

  function isShown(element: HTMLElement) {
    return element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  }

  function hasOwnText(element: HTMLElement) {
    return [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim())
  }

  function isCut(element: HTMLElement, style: CSSStyleDeclaration) {
    // An ellipsis says that there is more; a line clamp does so too.
    if (style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none') return false
    if (style.display === 'inline' || element.matches('.sr-only, textarea, input')) return false
    return style.overflowX !== 'visible'
      ? element.scrollWidth > element.clientWidth + 1
      : element.getBoundingClientRect().right > innerWidth + 1
  }
}
