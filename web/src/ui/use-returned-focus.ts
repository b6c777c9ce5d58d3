import { useRef } from 'react'

/**
 * Gives focus back to what opened a dialog. The kit does so for its own trigger alone, and our dialogs are opened by
 * state; whoever uses a keyboard would start at the top of the page again.
 */
export function useReturnedFocus() {
  const opener = useRef<Element>(null)
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      // A menu's entry is gone with its menu, a deleted row with its item.
      const isThere = opener.current?.isConnected && opener.current !== document.body
      const target = isThere ? opener.current : document.getElementById('main')
      if (target instanceof HTMLElement) target.focus()
    },
  }
}
