import { expect, type Page } from '@playwright/test'

/** Fails on anything confusing to a screen-reader user. */
export async function expectReadable(page: Page, screen: string): Promise<void> {
  const { faults, title } = await page.evaluate(readingFaults)
  expect.soft(faults, screen).toEqual([])
  await expect.soft(page, screen).toHaveTitle(`${title} · Rally`)
}

/** Runs in the page. */
function readingFaults(): { faults: string[]; title: string } {
  const faults: string[] = []
  const dialog = document.querySelector('[role=dialog], [role=alertdialog]')
  const name = (element: Element) =>
    element.outerHTML.replaceAll(/\sclass="[^"]*"/g, '').slice(0, 120)
  const seen = (selector: string, root: ParentNode = document) =>
    [...root.querySelectorAll<HTMLElement>(selector)].filter((each) =>
      each.checkVisibility({ visibilityProperty: true }),
    )

  checkHeadings()
  checkLandmarks()
  checkNames()
  checkOrder()
  checkLiveRegions()
  const heading = seen('h1').at(-1)
  return { faults, title: heading?.dataset.title ?? heading?.textContent.trim() ?? '' }

  function checkHeadings() {
    const headings = seen('h1, h2, h3, h4, h5, h6')
    const count = headings.filter((each) => each.matches('h1')).length
    if (count !== 1) faults.push(`${count} headings of the first level`)
    let last = 1
    for (const each of headings) {
      const level = Number(each.tagName.slice(1))
      if (level > last + 1) faults.push(`from level ${last} to ${level}: ${name(each)}`)
      last = level
    }
  }

  function checkLandmarks() {
    if (seen('main').length !== 1) faults.push('there is not one main')
    const labels = seen('nav').map((each) => each.getAttribute('aria-label') ?? '')
    if (labels.includes('')) faults.push('a navigation has no name')
    if (new Set(labels).size < labels.length) faults.push('two navigations have one name')
    if (seen('body > * header').filter((each) => !each.closest('main, [role]')).length > 1) {
      faults.push('two banners')
    }
    const outside = seen('h1, h2, p, a, button').filter(
      (each) => !each.closest('main, nav, header, [role=dialog], [role=alertdialog], [aria-live]'),
    )
    // The skip link comes before all landmarks.
    for (const each of outside) {
      if (!each.matches('[href="#main"]')) faults.push(`in no landmark: ${name(each)}`)
    }
  }

  function checkNames() {
    for (const each of seen('a, button, input, select, textarea, [role=tab], [role=log]')) {
      if (!nameOf(each)) faults.push(`has no name: ${name(each)}`)
      if (each.tabIndex > 0) faults.push(`jumps the queue: ${name(each)}`)
    }
  }

  function nameOf(element: HTMLElement): string {
    const by = element.getAttribute('aria-labelledby')?.split(' ') ?? []
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
    if (element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) {
      labels.push(...element.labels)
    }
    const named = [...by.map((id) => document.getElementById(id)), ...labels]
    const pictures = [...element.querySelectorAll('[aria-label], img[alt]')].map(
      (each) => each.getAttribute('aria-label') ?? each.getAttribute('alt'),
    )
    const isField = element.matches('input, select, textarea')
    return [
      element.getAttribute('aria-label'),
      ...named.map((each) => each?.textContent),
      ...(isField ? [] : [element.textContent, ...pictures]),
    ]
      .join('')
      .trim()
  }

  /** Top to bottom and, within a line, left to right; a column is read to its end before the next. */
  function checkOrder() {
    const regions: ParentNode[] = dialog
      ? [dialog]
      : seen('nav[aria-label], main section[aria-label], main > div > div > div, main, header')
    for (const region of regions) {
      const stops = seen('h1, h2, h3, p, a, button, input, select, textarea, label', region)
        .filter((each) => closestRegion(each) === region)
        .filter((each) => each.getBoundingClientRect().width > 1)
      for (const [index, stop] of stops.entries()) {
        const next = stops[index + 1]
        if (next && !stop.contains(next) && isBefore(next, stop)) {
          faults.push(`${name(next)} is seen before ${name(stop)}`)
        }
      }
    }

    function closestRegion(element: Element) {
      return regions.filter((each) => each.contains(element)).at(-1)
    }
  }

  function isBefore(next: Element, stop: Element): boolean {
    // A message is read before its actions, on whichever side it is.
    if (stop.closest('article') && stop.closest('article') === next.closest('[role=log] article')) {
      return false
    }
    // What a button opens follows it, wherever there is room for it.
    const opened = stop.getAttribute('aria-controls')
    if (opened && document.getElementById(opened)?.contains(next)) return false
    const [a, b] = [boxOf(stop, next), boxOf(next, stop)]
    const isOnOneLine = a.top < b.bottom && b.top < a.bottom
    if (isOnOneLine) return b.right <= a.left + 1
    return b.bottom <= a.top + 1 && b.left < a.right
  }

  /** Its position, or that of its scroll container: what is scrolled away has no position of its own. */
  function boxOf(element: Element, other: Element): DOMRect {
    let shown = element
    for (
      let each = element.parentElement;
      each && !each.contains(other);
      each = each.parentElement
    ) {
      if (getComputedStyle(each).overflowY !== 'visible') shown = each
    }
    return shown.getBoundingClientRect()
  }

  /** A screen reader only announces changes in a region that already existed. */
  function checkLiveRegions() {
    const polite = [...document.querySelectorAll('[aria-live=polite]')]
    if (!polite.some((each) => each.matches('[role=status]'))) faults.push('nowhere for toasts')
    if (!polite.some((each) => each.matches('.sr-only'))) faults.push('nowhere to announce')
    for (const form of seen('main form, [role=dialog] form')) {
      const isChecked = form.hasAttribute('novalidate')
      if (isChecked && !form.querySelector('[role=alert], [aria-live]')) {
        faults.push(`says its errors to nobody: ${name(form)}`)
      }
    }
  }
}
