import { useEffect, useState } from 'react'

/** Counts down to zero, second by second; `start` begins again. By the clock, as sleeping tabs miss ticks. */
export function useCooldown(seconds: number) {
  const [now, setNow] = useState(() => Date.now())
  const [until, setUntil] = useState(now + seconds * 1000)
  const left = Math.max(0, Math.ceil((until - now) / 1000))

  useEffect(() => {
    if (left === 0) return
    const timer = setTimeout(() => setNow(Date.now()), 1000)
    return () => clearTimeout(timer)
  }, [left, now])

  function start() {
    setNow(Date.now())
    setUntil(Date.now() + seconds * 1000)
  }
  return { left, start }
}
