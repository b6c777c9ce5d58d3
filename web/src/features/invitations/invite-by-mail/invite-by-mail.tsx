import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { useUserId } from '#data/session/session.ts'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { useDebouncedValue } from '#lib/use-debounced-value.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { ProgressBar } from '#ui/progress-bar.tsx'
import { isAddress } from '../pasted-list/find-addresses.ts'
import { knownAddressesQuery, MOST_INVITEES } from '../invitation-queries.ts'
import { useInviteList, type InviteLine } from './invite-list-store.ts'
import { addressOf, findProblems, type KnownAddresses } from './line-problems.ts'
import { LineTable } from './line-table.tsx'
import { PasteField } from './paste-field.tsx'
import { sendInvitations, type Sent } from './send-invitations.ts'

const SETTLE_MS = 400
const SENDING = ['send-invitations']

/** Invites one person or a pasted list by mail: read, corrected, then sent. */
export function InviteByMail({ token }: { token: string | undefined }) {
  const name = `invitations:${useUserId()}`
  const list = useInviteList(name)
  const known = useKnownAddresses(list.lines)
  const problems = findProblems(list.lines, known)
  const ready = list.lines.filter(({ id }) => !problems.has(id))
  const { send, progress, isSending, sent } = useSending(name)
  const stay = list.lines.filter(({ id }) => {
    const problem = problems.get(id)
    return problem && problem.kind !== 'blank'
  }).length
  return (
    <Card className="grid grid-cols-1 gap-5">
      <PasteField name={name} list={list} />
      <LineTable name={name} list={list} problems={problems} token={token} isSending={isSending} />
      {sent && !isSending && <Outcome sent={sent} />}
      {progress && (
        <ProgressBar
          label={m.invitations_progress(written(progress))}
          value={progress.done}
          max={progress.total}
        />
      )}
      <div className="grid grid-cols-1 gap-2">
        <Button
          isWaiting={ready.length === 0}
          busyText={
            isSending &&
            (progress ? m.invitations_progress(written(progress)) : m.invitations_sending())
          }
          onClick={() => send(ready.map(({ id }) => id))}
        >
          <Send aria-hidden="true" className="size-5" />
          {ready.length > 1
            ? m.invitations_send_many({ count: formatCount(ready.length) })
            : m.invitations_send()}
        </Button>
        <p className="text-note text-muted empty:hidden">
          {[
            stay > 0 && ready.length > 0 && m.invitations_stay({ count: stay }),
            ready.length > MOST_INVITEES && m.invitations_batches({ most: MOST_INVITEES }),
          ]
            .filter(Boolean)
            .join(' ')}
        </p>
      </div>
    </Card>
  )
}

type Progress = { done: number; total: number }
const written = ({ done, total }: Progress) => ({
  done: formatCount(done),
  total: formatCount(total),
})

function useSending(name: string) {
  const queryClient = useQueryClient()
  const [progress, setProgress] = useState<Progress>()
  const mutation = useMutation({
    mutationKey: SENDING,
    mutationFn: (ids: string[]) => {
      setProgress(ids.length > MOST_INVITEES ? { done: 0, total: ids.length } : undefined)
      return sendInvitations(name, ids, (done) => setProgress({ done, total: ids.length }))
    },
    onError: (error) => showError(m.invitations_failed, error),
    onSettled: () => {
      setProgress(undefined)
      return queryClient.invalidateQueries({ queryKey: ['invitations'] })
    },
  })
  // Also where the screen was left and opened again meanwhile.
  const isSending = useIsMutating({ mutationKey: SENDING }) > 0
  return {
    send: mutation.mutate,
    progress: isSending ? progress : undefined,
    isSending,
    sent: mutation.data,
  }
}

function Outcome({ sent: { invited, failed } }: { sent: Sent }) {
  return (
    <div role="status" className="grid gap-1 text-small font-medium">
      {invited > 0 && <p className="text-success">{m.invitations_sent({ count: invited })}</p>}
      {failed > 0 && (
        <p className="text-danger-text">{m.invitations_not_sent({ count: failed })}</p>
      )}
    </div>
  )
}

/** What the team already knows of the addresses; empty while that is not known. */
function useKnownAddresses(lines: InviteLine[]): KnownAddresses {
  const emails = [...new Set(lines.map(addressOf))].filter(isAddress).sort().join(' ')
  const settled = useDebouncedValue(emails, SETTLE_MS)
  const { data = [] } = useQuery(knownAddressesQuery(settled ? settled.split(' ') : []))
  return new Map(data.map((known) => [known.email, known]))
}
