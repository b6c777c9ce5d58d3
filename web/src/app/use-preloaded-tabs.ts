import { useEffect } from 'react'
import { preloadScreen } from './preload-screen.ts'

/** The screens members open most, likeliest first. */
const LIKELY = ['/chat', '/home', '/schedule']
const AFTER_MS = 2000

/** Once the screen asked for has had its time, the code of the likely next ones is fetched. */
export function usePreloadedTabs() {
  useEffect(() => {
    const timer = setTimeout(() => LIKELY.forEach(preloadScreen), AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
}
