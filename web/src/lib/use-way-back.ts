import { useLocation, useNavigate } from 'react-router'

/** Back to the page before, whichever it was; who came by a link goes to `otherwise`. */
export function useWayBack(otherwise: string): string | (() => void) {
  const navigate = useNavigate()
  // Read again on each page.
  useLocation()
  // The router numbers the pages of this tab from 0.
  const { idx = 0 } = (history.state ?? {}) as { idx?: number }
  return idx > 0 ? () => void navigate(-1) : otherwise
}
