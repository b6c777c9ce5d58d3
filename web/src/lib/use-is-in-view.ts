import { useState } from 'react'

/** Whether an element is in the viewport; pass it the ref. */
export function useIsInView() {
  const [isInView, setIsInView] = useState(false)

  function ref(element: Element | null) {
    if (!element || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver(([entry]) =>
      setIsInView(entry?.isIntersecting ?? false),
    )
    observer.observe(element)
    return () => observer.disconnect()
  }

  return { ref, isInView }
}
