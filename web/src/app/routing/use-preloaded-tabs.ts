import { useEffect } from 'react'
import { preloadScreen } from './preload-screen.ts'

/** The most visited screens, likeliest first. */
const LIKELY = ['/chat', '/home', '/schedule']
const AFTER_MS = 2000

/** Preloads the likely next screens once the current one has loaded. */
export function usePreloadedTabs() {
  useEffect(() => {
    const timer = setTimeout(() => LIKELY.forEach(preloadScreen), AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
}
