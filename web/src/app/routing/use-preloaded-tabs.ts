import { useEffect } from 'react'
import { firstScreenRead } from '#data/first-screen.ts'

/** The most visited screens, likeliest first. */
const LIKELY = ['/chat', '/home', '/schedule']

const AFTER_MS = 1000

/** Preloads the likely next screens, by their paths, once the current one has its content. */
export function usePreloadedTabs(preload: (path: string) => Promise<void>) {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    void firstScreenRead().then(() => {
      timer = setTimeout(() => LIKELY.forEach((path) => void preload(path)), AFTER_MS)
    })
    return () => clearTimeout(timer)
  }, [preload])
}
