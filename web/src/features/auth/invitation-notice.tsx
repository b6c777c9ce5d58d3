import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import { callEdgeFunction } from '#data/supabase.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { siteAddress } from '#lib/server/site-address.ts'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/form-error.tsx'
import { NavigationButton } from '#ui/navigation-button.tsx'

/** Whether an invitation is `pending`, `accepted`, `revoked`, `expired` or `bounced`, or `unknown`. */
export const invitationStateQuery = (id: string) =>
  queryOptions({
    queryKey: ['invitations', 'state', id],
    queryFn: () => callFunction('invitation_state', { invitation_id: id }),
  })

/** Why the link of an invitation opened nothing, and a new one where the invitation still holds. */
export function InvitationNotice({ id }: { id: string }) {
  const { data: state, isPending } = useQuery(invitationStateQuery(id))
  const renew = useMutation({
    mutationFn: () => renewInvitation(id),
    onError: (error) => showError(m.auth_invitation_renew_failed, error),
  })
  if (isPending) return null
  if (renew.data !== undefined)
    return (
      <p role="status" className="rounded-field bg-tint px-4 py-3 text-small font-medium">
        {renew.data ? m.auth_invitation_renewed() : m.auth_invitation_renewed_before()}
      </p>
    )
  return (
    <>
      <FormError text={words(state)} />
      {state === 'accepted' && (
        <NavigationButton to="/forgot-password" variant="tint">
          {m.auth_invitation_choose_password()}
        </NavigationButton>
      )}
      {state === 'pending' && (
        <Button
          variant="tint"
          busyText={renew.isPending && m.auth_invitation_renewing()}
          onClick={() => renew.mutate()}
        >
          {m.auth_invitation_renew()}
        </Button>
      )}
    </>
  )
}

function words(state: string | undefined): string {
  if (state === 'revoked') return m.auth_invitation_revoked()
  if (state === 'accepted') return m.auth_invitation_used()
  if (state === 'pending') return m.auth_invitation_link_ended()
  if (state === 'expired') return m.auth_invitation_ended()
  return m.auth_invitation_expired()
}

/** @returns false if a mail went out a moment ago, or the invitation has ended meanwhile */
async function renewInvitation(id: string): Promise<boolean> {
  const redirect_to = new URL('/create-account', siteAddress()).href
  const { renewed } = await callEdgeFunction<{ renewed: boolean }>('invite', {
    renew: id,
    redirect_to,
  })
  return renewed
}
