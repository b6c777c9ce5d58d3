import { useQuery } from '@tanstack/react-query'
import { Flag } from 'lucide-react'
import { useLiveTopic } from '#lib/live/use-live-topic.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/supabase/notify-error.ts'
import { useErrorAlert } from '#lib/supabase/use-error-alert.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { ProgressBar } from '#ui/progress-bar.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { memberName, onboardingOverviewQuery, type MemberProgress } from './member-queries.ts'

const LIVE_TABLES = ['onboarding_progress']

/** Everyone's New Rep Start progress, live; members with open steps come first. */
export function OnboardingOverview({ onAdd }: { onAdd: () => void }) {
  useLiveTopic('admins', LIVE_TABLES)
  const { data, error, refetch } = useQuery(onboardingOverviewQuery())
  useErrorAlert(m.admin_error_users(), { data, error })
  if (error && !data) {
    const text = `${m.admin_error_users()}: ${messageOf(error)}`
    return <ErrorState text={text} onRetry={() => void refetch()} />
  }
  if (!data) return <SkeletonRows />
  if (data.every(({ total_count: total }) => total === 0)) {
    return (
      <EmptyState
        picture={<Flag />}
        title={m.admin_none_active()}
        text={m.admin_none_active_text()}
        action={
          <Button variant="tint" onClick={onAdd}>
            {m.admin_add()}
          </Button>
        }
      />
    )
  }
  const isDone = (member: MemberProgress) => member.done_count === member.total_count
  const sorted = [...data].sort((a, b) => Number(isDone(a)) - Number(isDone(b)))
  return (
    <Card className="py-1">
      <ul className="divide-y divide-line">
        {sorted.map((member) => (
          <MemberRow key={member.user_id} member={member} />
        ))}
      </ul>
    </Card>
  )
}

function MemberRow({ member }: { member: MemberProgress }) {
  const name = memberName(member)
  const { done_count: done, total_count: total, next_title: next } = member
  return (
    <li className="flex items-center gap-3 py-3">
      <Avatar name={name} seed={member.user_id} />
      <div className="min-w-0 flex-1 lg:grid lg:grid-cols-[16rem_minmax(0,1fr)_minmax(0,1fr)] lg:items-center lg:gap-6">
        <div className="flex items-baseline justify-between gap-3">
          <p className="truncate font-semibold">{name}</p>
          <p className="flex-none text-note text-muted tabular-nums">
            {m.admin_progress_of({ done, total })}
          </p>
        </div>
        <ProgressBar
          label={m.admin_progress_label({ name })}
          value={done}
          max={Math.max(total, 1)}
        />
        <p className="truncate text-note text-muted">
          {next ? m.admin_progress_next({ title: next }) : m.admin_progress_done()}
        </p>
      </div>
    </li>
  )
}
