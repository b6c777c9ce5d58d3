import { useQueryClient } from '@tanstack/react-query'
import { ArrowDown } from 'lucide-react'
import { useCallback, useRef } from 'react'
import { m } from '#lib/messages/messages.js'
import { Spinner } from './spinner.tsx'
import { announce } from './toast-store.ts'
import { usePullToRefresh } from './use-pull-to-refresh.ts'

/** Height at which the spinner rests while the tables refetch. */
const REFRESHING_PX = 56

/** Goes first in a list. `tables` are the first parts of the query keys to refetch; pass a constant. */
export function PullToRefresh({ tables }: { tables: readonly string[] }) {
  const queryClient = useQueryClient()
  const inside = useRef<HTMLDivElement>(null)
  const refresh = useCallback(async () => {
    await Promise.all(tables.map((table) => queryClient.invalidateQueries({ queryKey: [table] })))
    announce(m.ui_refreshed())
  }, [queryClient, tables])
  const pull = usePullToRefresh(inside, refresh)
  const height =
    pull.state === 'pulling' ? pull.distance : pull.state === 'refreshing' ? REFRESHING_PX : 0
  return (
    <div
      ref={inside}
      aria-hidden="true"
      style={{ height }}
      className={`grid flex-none place-items-center overflow-hidden text-primary ${pull.state === 'pulling' ? '' : 'transition-[height] duration-(--motion-move)'}`}
    >
      {pull.state === 'refreshing' && <Spinner />}
      {pull.state === 'pulling' && (
        <ArrowDown
          className="size-6 transition-transform"
          style={{ rotate: pull.distance < 64 ? '0deg' : '180deg', opacity: pull.distance / 64 }}
        />
      )}
    </div>
  )
}
