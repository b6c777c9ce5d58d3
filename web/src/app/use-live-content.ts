import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { realtime } from '#lib/supabase.ts'

const CONTENT_TABLES = [
  'home_content',
  'training_content',
  'newrepstart_content',
  'licensing_content',
  'schedule_content',
  'team_settings',
  'team_notices',
]

/** What an admin publishes shows on every open screen at once: the database names the table that changed. */
export function useLiveContent() {
  const queryClient = useQueryClient()
  useEffect(() => {
    const refresh = (table: string) => {
      // Who is changing the table reads it again when done; before that, own changes would seem undone.
      if (queryClient.isMutating({ mutationKey: [table] }) > 0) return
      void queryClient.invalidateQueries({ queryKey: [table] })
    }
    const leaving = new AbortController()
    watchTeam(refresh, leaving.signal).catch((error: unknown) => {
      // Silent on purpose: without it content is as fresh as the last visit of a screen.
      console.warn('Live content is not available', error)
    })
    return () => leaving.abort()
  }, [queryClient])
}

async function watchTeam(refresh: (table: string) => void, left: AbortSignal) {
  const client = await realtime()
  if (left.aborted) return
  const channel = client.channel('team', { config: { private: true } })
  let wasJoined = false
  channel
    .on('broadcast', { event: 'content_changed' }, ({ payload }) => {
      const { table } = payload as { table?: unknown }
      if (typeof table === 'string') refresh(table)
    })
    .subscribe((status) => {
      if (`${status}` !== 'SUBSCRIBED') return
      // Whatever changed while the connection was lost went unheard.
      if (wasJoined) CONTENT_TABLES.forEach(refresh)
      wasJoined = true
    })
  left.addEventListener('abort', () => void channel.unsubscribe())
}
