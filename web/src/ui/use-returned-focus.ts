import { useRef } from 'react'
import { focusOn, heirOf, placesOf, type Place } from './focus-place.ts'

type Opener = { element: Element; places: Place[] }

/** Of the dialog opened last: one that takes the place of another has no opener of its own. */
let lastOpener: Opener | undefined

/**
 * Gives focus back to what opened a dialog. The kit does so for its own trigger alone, and our dialogs are opened by
 * state; whoever uses a keyboard would start at the top of the page again.
 */
export function useReturnedFocus() {
  const opener = useRef<Opener>(undefined)
  return {
    // Not called where a field of the dialog took the focus by itself.
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
      // The dialog that takes its place has the focus already.
      if (next && !(from && next.contains(from.element))) return
      if (from?.element.isConnected) return focusOn(from.element)
      // The whole screen went, and the next one's title has the focus already.
      if (active?.matches('h1')) return
      const place = from?.places.find(({ parent }) => parent.isConnected)
      focusOn((place && heirOf(place)) ?? document.getElementById('main'))
    },
  }
}

/** A menu's entry goes with its menu; what opened the menu stays. */
function triggerOf(opener: Element | null): Element | null {
  const menu = opener?.closest('[role=menu]')
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : opener
}
