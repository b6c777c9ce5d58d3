import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * For something that an address can point at (`/schedule#id`): scrolls there and moves focus once it is shown.
 * The browser does so for a page load alone.
 */
export function useLinkedPlace<Place extends HTMLElement>(id: string) {
  const { hash, key } = useLocation()
  const place = useRef<Place>(null)
  const isLinked = hash === `#${id}`
  useEffect(() => {
    if (!isLinked) return
    place.current?.scrollIntoView({ block: 'center' })
    place.current?.focus({ preventScroll: true })
  }, [isLinked, key])
  return { ref: place, ...(isLinked && { tabIndex: -1 }) }
}
