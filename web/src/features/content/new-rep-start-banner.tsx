import { useQuery } from '@tanstack/react-query'
import { ChevronRight, Flag } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { useUserId } from '#lib/session.ts'
import { newRepStartQuery } from './content-queries.ts'
import { onboardingProgress } from './onboarding-progress.ts'
import { progressQuery } from './onboarding-queries.ts'

/** The red way to the onboarding list, with progress and the next step once both are known. */
export function NewRepStartBanner() {
  const { data: items } = useQuery(newRepStartQuery())
  const { data: ticks } = useQuery(progressQuery(useUserId()))
  const doneIds = ticks?.data.map(({ item_id }) => item_id)
  const progress = items && doneIds ? onboardingProgress(items.data, doneIds) : undefined
  const isKnown = progress && progress.total > 0
  return (
    <Link
      to="/newrepstart"
      className="flex items-center gap-4 rounded-[20px] bg-linear-120 from-[#d62839] to-[#b01527] p-4.5 text-white shadow-[0_10px_24px_rgb(214_40_57/0.28)] transition hover:brightness-105"
    >
      <Ring share={isKnown ? progress.done / progress.total : 0}>
        {isKnown ? `${progress.done}/${progress.total}` : <Flag className="size-5" />}
      </Ring>
      <span className="min-w-0 flex-1">
        <span className="block text-lg font-bold">{m.content_new_rep_start()}</span>
        {isKnown && (
          <span className="block text-sm">
            <span className="sr-only">
              {m.content_progress({ done: progress.done, total: progress.total })}.{' '}
            </span>
            {progress.next
              ? m.content_next_step({ title: progress.next.title })
              : m.content_all_done()}
          </span>
        )}
      </span>
      <ChevronRight aria-hidden="true" className="size-5.5 flex-none" />
    </Link>
  )
}

function Ring({ share, children }: { share: number; children: ReactNode }) {
  const degrees = Math.round(share * 360)
  return (
    <span
      aria-hidden="true"
      style={{ background: `conic-gradient(#fff ${degrees}deg, rgb(255 255 255 / 0.28) 0)` }}
      className="grid size-14.5 flex-none place-items-center rounded-full"
    >
      <span className="grid size-11 place-items-center rounded-full bg-[#c01d2f] text-sm font-bold tabular-nums">
        {children}
      </span>
    </span>
  )
}
