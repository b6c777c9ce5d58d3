/** What looks at a step through the history before the router does, and may keep it from the router. */
export const beforePop: { handle?: ((event: PopStateEvent) => void) | undefined } = {}

// Imported at start-up: browsers call the window's listeners in the order in which they were added.
window.addEventListener('popstate', (event) => beforePop.handle?.(event))
