import { useRef } from 'react'
import { focusOn, focusTargetAfter, placesOf, type Place } from './focus-place.ts'

type Opener = { element: Element; places: Place[] }

/** The opener of the last dialog: one that replaces another has no opener of its own. */
let lastOpener: Opener | undefined

/**
 * Returns focus to a dialog's opener. Radix only does so for its own trigger, and our dialogs are opened by
 * state; keyboard users would restart at the top of the page.
 */
export function useReturnedFocus() {
  const opener = useRef<Opener>(undefined)
  return {
    // Not called when a field in the dialog took focus by itself.
    onOpenAutoFocus: () => {
      const element = triggerOf(document.activeElement)
      const isKnown = element && element !== document.body
      opener.current = isKnown ? { element, places: placesOf(element) } : lastOpener
      lastOpener = opener.current
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      const from = opener.current ?? lastOpener
      const { activeElement: active } = document
      const next = active?.parentElement?.closest('[role=dialog], [role=alertdialog]')
      // The replacing dialog already has focus.
      if (next && !(from && next.contains(from.element))) return
      if (from?.element.isConnected) return focusOn(from.element)
      // The whole screen changed, and the new one's title already has focus.
      if (active?.matches('h1')) return
      const place = from?.places.find(({ parent }) => parent.isConnected)
      focusOn((place && focusTargetAfter(place)) ?? document.getElementById('main'))
    },
  }
}

/** A menu item goes away with its menu; the menu's trigger stays. */
function triggerOf(opener: Element | null): Element | null {
  const menu = opener?.closest('[role=menu]')
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : opener
}
