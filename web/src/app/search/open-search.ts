import { useEffect } from 'react'

const OPEN_SEARCH = 'open-search'

/** Asked for before the code that opens it was there. */
let isWanted = false

/** Opens the search over everything, from wherever the member is. */
export function openSearch() {
  isWanted = true
  window.dispatchEvent(new Event(OPEN_SEARCH))
}

/** Opens the search with Ctrl-K or Cmd-K. */
export function useSearchKey() {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      if (!isCommand || event.key.toLowerCase() !== 'k') return
      // Browsers would search the web.
      event.preventDefault()
      openSearch()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Calls back on openSearch(), also on an earlier one that nobody has handled. @returns stops it */
export function onOpenSearch(open: () => void): () => void {
  function handle() {
    isWanted = false
    open()
  }
  if (isWanted) handle()
  window.addEventListener(OPEN_SEARCH, handle)
  return () => window.removeEventListener(OPEN_SEARCH, handle)
}
