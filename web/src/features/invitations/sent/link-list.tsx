import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { useState } from 'react'
import { fullName } from '#domain/member-name.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { Chip } from '#ui/chip.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { NavigationButton } from '#ui/navigation-button.tsx'
import { RowList } from '#ui/row-list.tsx'
import { ShowMorePages } from '#ui/show-more.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { showToast } from '#ui/toast-store.ts'
import { revokeJoinLink } from '../invitation-queries.ts'
import { listedLinksQuery, type ListedLink } from './sent-queries.ts'
import { dayOf } from './sent-words.ts'

/** Links and QR codes that were handed out: by whom, until when, and how many joined with each. */
export function LinkList() {
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState<ListedLink>()
  const list = useInfiniteQuery(listedLinksQuery())
  const links = list.data?.pages.flat() ?? []
  const takeBack = useMutation({
    mutationFn: revokeJoinLink,
    onSuccess: () => showToast(m.invitations_link_taken_back()),
    onError: (error) => showError(m.invitations_failed, error),
    onSettled: () => {
      setAsking(undefined)
      return queryClient.invalidateQueries({ queryKey: ['join_links'] })
    },
  })
  if (list.isPending) return <SkeletonRows />
  if (!list.data) {
    return (
      <LoadError
        error={list.error}
        describe={(message) => m.invitations_failed({ message })}
        onRetry={() => void list.refetch()}
      />
    )
  }
  if (links.length === 0) {
    return (
      <EmptyState
        picture={<Link2 />}
        title={m.invitations_none_title()}
        text={m.invitations_none_text()}
        action={
          <NavigationButton to="/admin/invite" variant="tint">
            {m.invitations_title()}
          </NavigationButton>
        }
      />
    )
  }
  return (
    <>
      <RowList>
        {links.map((link) => (
          <li key={link.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
            <div className="min-w-0 flex-1 basis-56">
              <p className="font-semibold">{m.invitations_joined({ count: link.joined })}</p>
              <p className="text-note text-muted">
                {m.invitations_link_by({
                  name: fullName(link),
                  day: dayOf(link.created_at),
                })}
              </p>
            </div>
            <Chip tone={link.state === 'open' ? 'primary' : 'quiet'}>{linkState(link)}</Chip>
            {link.state === 'open' && (
              <Button variant="danger-ghost" size="sm" onClick={() => setAsking(link)}>
                {m.invitations_take_back()}
              </Button>
            )}
          </li>
        ))}
      </RowList>
      <ShowMorePages query={list} />
      <ConfirmDialog
        open={asking !== undefined}
        title={m.invitations_take_back_title()}
        text={m.invitations_take_back_text()}
        confirmLabel={m.invitations_take_back()}
        busyText={takeBack.isPending && m.invitations_revoking()}
        isDestructive
        onCancel={() => setAsking(undefined)}
        onConfirm={() => asking && takeBack.mutate(asking.id)}
      />
    </>
  )
}

function linkState({ state, expires_at, revoked_at }: ListedLink): string {
  if (state === 'open') return m.invitations_link_open_until({ day: dayOf(expires_at) })
  if (state === 'expired') return m.invitations_link_ended_on({ day: dayOf(expires_at) })
  // Without a date it ended because whoever made it is no longer an admin.
  return revoked_at
    ? m.invitations_link_taken_back_on({ day: dayOf(revoked_at) })
    : m.invitations_link_ended()
}
