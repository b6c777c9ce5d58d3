import { useEffect, useState } from 'react'

/** The present moment, told anew every minute, so that "9:32 AM" becomes "Wed" by itself. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
