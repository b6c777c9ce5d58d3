import { useMutation, useQueryClient } from '@tanstack/react-query'
import { nameOrAddress } from '#domain/member-name.ts'
import { formatNames } from '#lib/i18n/format-list.ts'
import { m } from '#lib/messages/messages.js'
import { notifyError, showError } from '#lib/server/notify-error.ts'
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
    onError: (error: Error) => showError(m.invitations_failed, error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['invitations'] }),
  }
  const resend = useMutation({
    ...options,
    mutationFn: useSingleRun(async (invitations: SentInvitation[]) => {
      const came = await sendAgain(invitations)
      const names = (...of: InviteOutcome[]) =>
        came.filter(({ outcome }) => of.includes(outcome)).map(({ name }) => name)
      const sent = names('invited', 'joined')
      const others = [
        [names('just_invited'), m.invitations_resend_recent],
        [names('already_a_member'), m.invitations_resend_member],
        [names('taken_back'), m.invitations_resend_taken_back],
      ] as const
      const failed = names('invalid', 'failed')
      if (sent.length > 0) showToast(m.invitations_sent({ count: sent.length }))
      for (const [people, say] of others)
        if (people.length > 0) showToast(say({ names: formatNames(people) }))
      if (failed.length > 0)
        notifyError(m.invitations_resend_failed({ names: formatNames(failed) }))
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

/** What came of each. */
async function sendAgain(sent: SentInvitation[]) {
  const came: { name: string; outcome: InviteOutcome }[] = []
  for (let from = 0; from < sent.length; from += MOST_INVITEES) {
    const part = sent.slice(from, from + MOST_INVITEES)
    const people = part.map((each) => ({
      email: each.email,
      firstName: each.first_name,
      lastName: each.last_name,
      locale: each.locale,
    }))
    for (const { email, outcome } of await inviteByMail(people)) {
      const person = part.find((each) => each.email === email)
      came.push({ name: person ? nameOrAddress(person) : email, outcome })
    }
  }
  return came
}
