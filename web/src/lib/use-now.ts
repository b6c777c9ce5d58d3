import { useEffect, useState } from 'react'

const REDRAW_MS = 30_000

/** The current time, updated often enough for "in 10 min", and for "9:32 AM" to become "Wed". */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), REDRAW_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
