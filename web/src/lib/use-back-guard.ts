import { useEffect, useEffectEvent } from 'react'

const guardOf = () => (history.state as { guard?: number } | null)?.guard

/**
 * While it is on, the browser's Back (its button, a swipe, a key) calls `onBack` and goes nowhere. The router in use
 * cannot hold a step back that was already made, so an entry of our own lies on top for it to take.
 */
export function useBackGuard(isOn: boolean, onBack: () => void) {
  const wentBack = useEffectEvent(onBack)
  useEffect(() => {
    if (!isOn) return
    const mark = Math.random()
    const put = () => history.pushState({ ...(history.state as object | null), guard: mark }, '')
    put()
    function onPop() {
      // Taking away the entry of the guard before this one arrives late, and is nobody's step.
      const isStep = guardOf() === undefined
      put()
      if (isStep) wentBack()
    }
    window.addEventListener('popstate', onPop)
    return () => {
      window.removeEventListener('popstate', onPop)
      // Whoever went on to another page by a link has left the entry below it.
      if (guardOf() === mark) history.back()
    }
  }, [isOn])
}
