import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { messageOf, notifyError } from '#lib/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'
import { createJoinLink, joinLinksQuery, takeBackJoinLink } from './invitation-queries.ts'
import { InviteeList } from './invitee-list.tsx'
import { JoinLinkCard } from './join-link-card.tsx'

/** Admins hand out one link to everyone, or one to each person of a pasted list. */
export function InviteScreen() {
  const links = useQuery(joinLinksQuery())
  const change = useChange()
  const [link] = links.data ?? []
  return (
    <Screen header={<PageHeader title={m.invitations_title()} back="/admin" />}>
      {link ? (
        <>
          <JoinLinkCard
            link={link}
            isBusy={change.isPending}
            onTakeBack={() => change.mutate(() => takeBackJoinLink(link.id))}
          />
          <InviteeList token={link.token} />
        </>
      ) : links.data ? (
        <EmptyState
          picture={<UserPlus />}
          title={m.invitations_none_title()}
          text={m.invitations_none_text()}
          action={
            <Button
              busyText={change.isPending && m.invitations_creating()}
              onClick={() => change.mutate(createJoinLink)}
            >
              {m.invitations_create()}
            </Button>
          }
        />
      ) : links.error ? (
        <ErrorState
          text={m.invitations_failed({ message: messageOf(links.error) })}
          onRetry={() => void links.refetch()}
        />
      ) : (
        <SkeletonCards count={1} className="h-96" />
      )}
    </Screen>
  )
}

function useChange() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (work: () => Promise<void>) => work(),
    onError: (error) => notifyError(m.invitations_failed({ message: messageOf(error) })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['join_links'] }),
  })
}
