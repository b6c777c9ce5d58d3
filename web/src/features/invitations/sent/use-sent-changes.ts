import { useMutation, useQueryClient } from '@tanstack/react-query'
import { m } from '#lib/messages/messages.js'
import { messageOf, notifyError } from '#lib/supabase/notify-error.ts'
import { useSingleRun } from '#lib/use-single-run.ts'
import { showToast } from '#ui/toast-store.ts'
import { inviteByMail, MOST_INVITEES, type InviteOutcome } from '../invitation-queries.ts'
import { revokeInvitations, type SentInvitation } from './sent-queries.ts'

/**
 * Sends invitations again and takes them back, one or many, once however often it is pressed. Each says what came of it and reads
 * the list again.
 */
export function useSentChanges(onDone: () => void) {
  const queryClient = useQueryClient()
  const options = {
    onError: (error: Error) => notifyError(m.invitations_failed({ message: messageOf(error) })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['invitations'] }),
  }
  const resend = useMutation({
    ...options,
    mutationFn: useSingleRun(async (invitations: SentInvitation[]) => {
      const { sent, recent, joined, failed } = await sendAgain(invitations)
      if (sent > 0) showToast(m.invitations_sent({ count: sent }))
      if (recent > 0) showToast(m.invitations_resend_recent({ count: recent }))
      if (joined > 0) showToast(m.invitations_resend_member({ count: joined }))
      if (failed > 0) notifyError(m.invitations_resend_failed({ count: failed }))
      onDone()
    }),
  })
  const revoke = useMutation({
    ...options,
    mutationFn: useSingleRun(async (invitations: SentInvitation[]) => {
      const count = await revokeInvitations(invitations.map(({ id }) => id))
      showToast(count > 0 ? m.invitations_revoked({ count }) : m.invitations_revoked_none())
      onDone()
    }),
  })
  return { resend, revoke }
}

async function sendAgain(sent: SentInvitation[]) {
  const outcomes: InviteOutcome[] = []
  for (let from = 0; from < sent.length; from += MOST_INVITEES) {
    const people = sent.slice(from, from + MOST_INVITEES).map((each) => ({
      email: each.email,
      firstName: each.first_name,
      lastName: each.last_name,
      locale: each.locale,
    }))
    outcomes.push(...(await inviteByMail(people)).map(({ outcome }) => outcome))
  }
  const count = (...of: InviteOutcome[]) => outcomes.filter((each) => of.includes(each)).length
  return {
    sent: count('invited', 'joined'),
    recent: count('just_invited'),
    joined: count('already_a_member'),
    failed: count('taken_back', 'invalid', 'failed'),
  }
}
