import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { markOpened } from '#features/notifications/notification-queries.ts'

/** Marks the notice of a tapped notification as opened, whatever page the tap led to. */
export function useOpenedNotice() {
  const queryClient = useQueryClient()
  const [search, setSearch] = useSearchParams()
  const noticeId = search.get('notice')
  useEffect(() => {
    if (!noticeId) return
    setSearch(without, { replace: true })
    markOpened(noticeId)
      .then(() => queryClient.invalidateQueries({ queryKey: ['team_notices'] }))
      // Silent on purpose: the page opens regardless.
      .catch((error: unknown) => console.warn('Could not mark the notice as opened', error))
  }, [noticeId, queryClient, setSearch])
}

function without(search: URLSearchParams) {
  const rest = new URLSearchParams(search)
  rest.delete('notice')
  return rest
}
