import { useEffect, useState } from 'react'
import { dayOf, type Day } from './work-week.ts'

const MINUTE_MS = 60_000

/** Today's calendar day; updates at midnight on a screen left open. */
export function useToday(): Day {
  const [today, setToday] = useState(() => dayOf(new Date()))
  useEffect(() => {
    const timer = setInterval(() => setToday(dayOf(new Date())), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return today
}
