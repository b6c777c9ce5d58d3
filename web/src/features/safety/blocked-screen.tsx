import { useMutation, useQuery } from '@tanstack/react-query'
import { UserCheck } from 'lucide-react'
import { Link } from 'react-router'
import { useCopyState } from '#data/kept/kept-queries.ts'
import { useUserId } from '#data/session/session.ts'
import { blockedPeopleQuery, unblockMember, type BlockedPerson } from '#domain/blocked-people.ts'
import { memberName } from '#domain/member-name.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Button, buttonLook } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { OfflineNote } from '#ui/offline-note.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { showToast } from '#ui/toast-store.ts'

/** Whom the member blocked, each with the way to end it. */
export function BlockedScreen() {
  const query = blockedPeopleQuery(useUserId())
  const { data: people, error, refetch } = useQuery(query)
  const { copiedAt } = useCopyState(query)
  return (
    <Screen header={<PageHeader title={m.safety_blocked_people()} back="/profile" />}>
      <OfflineNote copiedAt={copiedAt} />
      {!people && error && (
        <LoadError
          error={error}
          describe={(message) => m.safety_load_failed({ message })}
          onRetry={() => void refetch()}
        />
      )}
      {!people && !error && <SkeletonRows />}
      {people?.length === 0 && (
        <EmptyState
          picture={<UserCheck />}
          title={m.safety_nobody_blocked()}
          text={m.safety_nobody_blocked_text()}
          action={
            <Link to="/profile" replace className={buttonLook('tint')}>
              {m.profile_title()}
            </Link>
          }
        />
      )}
      {people && people.length > 0 && (
        <ul className="grid grid-cols-1 gap-stack">
          {people.map((person) => (
            <li key={person.id}>
              <BlockedRow person={person} />
            </li>
          ))}
        </ul>
      )}
    </Screen>
  )
}

function BlockedRow({ person }: { person: BlockedPerson }) {
  const name = memberName({ ...person, email: null })
  const unblock = useMutation({
    mutationFn: () => unblockMember(person.id),
    onSuccess: () => showToast(m.safety_list_unblocked({ name })),
    onError: (error) => showError(m.safety_list_failed(), error),
  })
  return (
    <Card className="flex flex-wrap items-center gap-3">
      <Avatar name={name} seed={person.id} size="sm" />
      <span className="min-w-0 flex-1">
        <span className="block font-semibold wrap-anywhere">{name}</span>
        {person.rests && (
          <span className="block text-note text-muted">{m.safety_block_rests()}</span>
        )}
      </span>
      <Button
        variant="tint"
        size="sm"
        isWaiting={unblock.isPending}
        onClick={() => unblock.mutate()}
      >
        {m.safety_list_unblock()}
      </Button>
    </Card>
  )
}
