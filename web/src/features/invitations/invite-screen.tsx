import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { useSingleRun } from '#lib/use-single-run.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'
import {
  createJoinLink,
  joinLinksQuery,
  revokeJoinLink,
  showJoinLink,
} from './invitation-queries.ts'
import { InviteByMail } from './invite-by-mail/invite-by-mail.tsx'
import { JoinLinkCard } from './join-link-card.tsx'
import { InvitationsEntry } from './sent/invitations-entry.tsx'

/** Lets admins mail invitations or share one join link. */
export function InviteScreen() {
  const links = useQuery(joinLinksQuery())
  const link = links.data?.[0]
  const { change, show } = useLinkChanges()
  const token = show.variables === link?.id ? show.data : undefined
  return (
    <Screen wide header={<PageHeader title={m.invitations_title()} back="/admin" />}>
      <div className="grid grid-cols-1 items-start gap-stack lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-section">
        <div className="grid grid-cols-1 gap-stack">
          <InvitationsEntry />
          <InviteByMail token={token} />
        </div>
        {link ? (
          <JoinLinkCard
            link={link}
            token={token}
            isShowing={show.isPending}
            isBusy={change.isPending}
            onShow={() => show.mutate(link.id)}
            onRevoke={() => change.mutate(link.id)}
          />
        ) : links.data ? (
          <NoLink isBusy={change.isPending} onCreate={() => change.mutate(null)} />
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

function useLinkChanges() {
  const queryClient = useQueryClient()
  const options = {
    onError: (error: Error) => showError(m.invitations_failed, error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['join_links'] }),
  }
  const show = useMutation({ ...options, mutationFn: showJoinLink })
  /** Takes the link with this id back, or makes one and shows it. */
  const run = useSingleRun(async (id: string | null) => {
    if (id) await revokeJoinLink(id)
    else show.mutate(await createJoinLink())
  })
  return { show, change: useMutation({ ...options, mutationFn: run }) }
}

function NoLink({ isBusy, onCreate }: { isBusy: boolean; onCreate: () => void }) {
  return (
    <EmptyState
      picture={<UserPlus />}
      title={m.invitations_none_title()}
      text={m.invitations_none_text()}
      action={
        <Button variant="tint" busyText={isBusy && m.invitations_creating()} onClick={onCreate}>
          {m.invitations_create()}
        </Button>
      }
    />
  )
}
