import { useEffect, useState } from 'react'

const REDRAW_MS = 30_000

/** The present moment, redrawn often enough for "in 10 min". */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), REDRAW_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
