import { useEffect, useState } from 'react'

/** Counts down to zero, second by second; `start` begins again. */
export function useCooldown(seconds: number) {
  const [left, setLeft] = useState(seconds)

  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])

  return { left, start: () => setLeft(seconds) }
}
