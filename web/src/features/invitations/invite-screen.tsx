import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { messageOf, notifyError } from '#lib/supabase/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'
import { createJoinLink, joinLinksQuery, revokeJoinLink } from './invitation-queries.ts'
import { InviteeList } from './invitee-list.tsx'
import { JoinLinkCard } from './join-link-card.tsx'

/** Lets admins mail invitations or share one join link. */
export function InviteScreen() {
  const links = useQuery(joinLinksQuery())
  return (
    <Screen header={<PageHeader title={m.invitations_title()} back="/admin" />}>
      <InviteeList token={links.data?.[0]?.token} />
      {links.data ? (
        <JoinLink link={links.data[0]} />
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

type Link = Parameters<typeof JoinLinkCard>[0]['link']

function JoinLink({ link }: { link: Link | undefined }) {
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (work: () => Promise<void>) => work(),
    onError: (error) => notifyError(m.invitations_failed({ message: messageOf(error) })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['join_links'] }),
  })
  if (link) {
    return (
      <JoinLinkCard
        link={link}
        isBusy={change.isPending}
        onRevoke={() => change.mutate(() => revokeJoinLink(link.id))}
      />
    )
  }
  return (
    <EmptyState
      picture={<UserPlus />}
      title={m.invitations_none_title()}
      text={m.invitations_none_text()}
      action={
        <Button
          variant="tint"
          busyText={change.isPending && m.invitations_creating()}
          onClick={() => change.mutate(createJoinLink)}
        >
          {m.invitations_create()}
        </Button>
      }
    />
  )
}
