import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/supabase/notify-error.ts'
import { useSingleRun } from '#lib/use-single-run.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'
import { createJoinLink, joinLinksQuery, revokeJoinLink } from './invitation-queries.ts'
import { InviteByMail } from './invite-by-mail/invite-by-mail.tsx'
import { JoinLinkCard } from './join-link-card.tsx'
import { InvitationsEntry } from './sent/invitations-entry.tsx'

/** Lets admins mail invitations or share one join link. */
export function InviteScreen() {
  const links = useQuery(joinLinksQuery())
  return (
    <Screen wide header={<PageHeader title={m.invitations_title()} back="/admin" />}>
      <div className="grid grid-cols-1 items-start gap-stack lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-section">
        <div className="grid grid-cols-1 gap-stack">
          <InvitationsEntry />
          <InviteByMail token={links.data?.[0]?.token} />
        </div>
        {links.data ? (
          <JoinLink link={links.data[0]} />
        ) : links.error ? (
          <LoadError
            error={links.error}
            describe={(message) => m.invitations_failed({ message })}
            onRetry={() => void links.refetch()}
          />
        ) : (
          <SkeletonCards count={1} className="h-96" />
        )}
      </div>
    </Screen>
  )
}

type Link = Parameters<typeof JoinLinkCard>[0]['link']

function JoinLink({ link }: { link: Link | undefined }) {
  const queryClient = useQueryClient()
  /** Takes the link with this id back, or makes one. */
  const run = useSingleRun((id: string | null) => (id ? revokeJoinLink(id) : createJoinLink()))
  const change = useMutation({
    mutationFn: run,
    onError: (error) => showError(m.invitations_failed, error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['join_links'] }),
  })
  if (link) {
    return (
      <JoinLinkCard link={link} isBusy={change.isPending} onRevoke={() => change.mutate(link.id)} />
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
          onClick={() => change.mutate(null)}
        >
          {m.invitations_create()}
        </Button>
      }
    />
  )
}
