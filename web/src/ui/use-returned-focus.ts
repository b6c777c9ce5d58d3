import { useRef } from 'react'

/** Of the dialog opened last: one that takes the place of another has no opener of its own. */
let lastOpener: Element | null = null

/**
 * Gives focus back to what opened a dialog. The kit does so for its own trigger alone, and our dialogs are opened by
 * state; whoever uses a keyboard would start at the top of the page again.
 */
export function useReturnedFocus() {
  const opener = useRef<Element>(null)
  return {
    // Not called where a field of the dialog took the focus by itself.
    onOpenAutoFocus: () => {
      const active = triggerOf(document.activeElement)
      opener.current = active === document.body ? lastOpener : active
      lastOpener = opener.current
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      const from = opener.current ?? lastOpener
      const { activeElement: active } = document
      const next = active?.parentElement?.closest('[role=dialog], [role=alertdialog]')
      // The dialog that takes its place has the focus already.
      if (next && !next.contains(from)) return
      // A deleted row is gone with its item, or the whole screen, whose successor may have taken the focus.
      const isThere = from?.isConnected && from !== document.body
      if (!isThere && active?.matches('h1')) return
      const target = isThere ? from : document.getElementById('main')
      if (target instanceof HTMLElement) target.focus()
    },
  }
}

/** A menu's entry goes with its menu; what opened the menu stays. */
function triggerOf(opener: Element | null): Element | null {
  const menu = opener?.closest('[role=menu]')
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : opener
}
