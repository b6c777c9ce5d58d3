import { inviteByMail, MOST_INVITEES } from '../invitation-queries.ts'
import { changeInviteList, readInviteList, type InviteLine } from './invite-list-store.ts'
import { addressOf } from './line-problems.ts'

const DONE = ['invited', 'just_invited', 'joined']

export type Sent = { invited: number; failed: number }

/**
 * Sends the lines in batches. After each one, whoever was invited leaves the list and the others keep their reason,
 * so that an error on the way, or leaving the screen, sends nobody a second mail.
 * @throws the refusal of a batch; the lines from there on stay as they are
 */
export async function sendInvitations(
  name: string,
  ids: string[],
  onProgress: (done: number) => void,
): Promise<Sent> {
  const total: Sent = { invited: 0, failed: 0 }
  for (let from = 0; from < ids.length; from += MOST_INVITEES) {
    const batch = new Set(ids.slice(from, from + MOST_INVITEES))
    const lines = readInviteList(name).lines.filter(({ id }) => batch.has(id))
    if (lines.length > 0) {
      const { invited, failed } = await sendBatch(name, lines)
      total.invited += invited
      total.failed += failed
    }
    onProgress(Math.min(from + MOST_INVITEES, ids.length))
  }
  return total
}

async function sendBatch(name: string, lines: InviteLine[]): Promise<Sent> {
  const results = new Map(
    (await inviteByMail(lines.map((line) => ({ ...line, email: addressOf(line) })))).map(
      (result) => [result.email, result] as const,
    ),
  )
  const ids = new Set(lines.map(({ id }) => id))
  let invited = 0
  changeInviteList(name, (list) => ({
    ...list,
    lines: list.lines.flatMap((line) => {
      const result = ids.has(line.id) ? results.get(addressOf(line)) : undefined
      if (!result) return [line]
      if (!DONE.includes(result.outcome)) return [{ ...line, refusal: result }]
      invited += 1
      return []
    }),
  }))
  return { invited, failed: lines.length - invited }
}
