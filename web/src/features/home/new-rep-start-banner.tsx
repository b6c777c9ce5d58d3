import { useQuery } from '@tanstack/react-query'
import { ChevronRight, Flag } from 'lucide-react'
import { Link } from 'react-router'
import { useUserId } from '#data/session/session.ts'
import { ownProfileQuery } from '#domain/own-profile.ts'
import { vicePresidentsQuery } from '#domain/vice-presidents.ts'
import { m } from '#lib/messages/messages.js'

export type NewRepStartProgress = { done: number; total: number; nextTitle: string | undefined }

/** The only red surface of the app. Its ring fills as the member completes the list; leaders have no list to complete. */
export function NewRepStartBanner(props: { progress: NewRepStartProgress | undefined }) {
  const isLeader = useIsLeader()
  const progress = isLeader === false ? props.progress : undefined
  return (
    <Link
      to="/newrepstart"
      className="flex min-h-24 items-center gap-4 rounded-card bg-linear-120 from-banner-from to-banner-to p-4.5 text-white shadow-banner transition active:scale-99"
    >
      {progress?.total === 0 ? null : <Ring progress={progress} />}
      <span className="grid min-w-0 flex-1">
        <span className="text-lead font-bold">{m.home_new_rep_start()}</span>
        <span className="line-clamp-3 text-small break-words max-[22rem]:line-clamp-5">
          {isLeader ? m.home_banner_leader() : bannerText(progress)}
        </span>
      </span>
      <ChevronRight aria-hidden="true" className="flex-none" />
    </Link>
  )
}

function bannerText(progress: NewRepStartProgress | undefined) {
  if (!progress || progress.total === 0) return m.home_banner_text()
  if (progress.nextTitle === undefined) return m.home_banner_done()
  return m.home_banner_next({ title: progress.nextTitle })
}

/**
 * Empty until progress is known, so that nothing moves when it arrives. It grows with its figures, and both
 * only as far as the words next to it have room.
 */
function Ring({ progress }: { progress: NewRepStartProgress | undefined }) {
  const filled = `${progress ? (progress.done / progress.total) * 100 : 0}%`
  return (
    <span
      className="grid size-[4.2em] flex-none place-items-center rounded-full text-ring"
      style={{ background: `conic-gradient(#fff 0 ${filled}, rgb(255 255 255 / 0.28) 0)` }}
    >
      <span className="grid size-[3.2em] place-items-center rounded-full bg-banner-ring font-bold tabular-nums">
        {progress ? (
          <Figures {...progress} />
        ) : (
          <Flag aria-hidden="true" className="size-[1.4em]" />
        )}
      </span>
    </span>
  )
}

function Figures({ done, total }: NewRepStartProgress) {
  return (
    <span>
      <span aria-hidden="true">
        {done}/{total}
      </span>
      <span className="sr-only">{m.home_banner_progress({ done, total })}</span>
    </span>
  )
}

/** Whether the member is an admin or a vice president, for whom New Rep Start is not (product.md P174); undefined until known. */
function useIsLeader(): boolean | undefined {
  const userId = useUserId()
  const profile = useQuery(ownProfileQuery(userId))
  const vicePresidents = useQuery(vicePresidentsQuery())
  if (profile.data?.role === 'admin') return true
  if (profile.isPending || vicePresidents.isPending) return undefined
  return vicePresidents.data?.some(({ id }) => id === userId) ?? false
}
