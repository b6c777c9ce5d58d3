import { useState } from 'react'
import { arrival, type Arrival } from './arrival.ts'

/** How the screen that is open now came in. */
export function useArrival(screen: string): Arrival {
  const [last, setLast] = useState({ screen, arrival: arrival(undefined, screen) })
  if (last.screen !== screen) setLast({ screen, arrival: arrival(last.screen, screen) })
  return last.arrival
}
