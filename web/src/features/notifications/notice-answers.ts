// What a member answers to a notice, acknowledged or read, waits on this device while offline.
import { m } from '#lib/messages/messages.js'
import { pendingChanges, writesLater, writeSoon } from '#lib/offline/pending-writes.ts'
import { callFunction } from '#lib/supabase/call-function.ts'
import { showError } from '#lib/supabase/notify-error.ts'
import { queryClient } from '#lib/supabase/query-client.ts'

const ANSWER = 'notice answer'

type Answer = { noticeId: string; isAcknowledged: boolean; at: string }
type Answered = { id: string; is_unread: boolean; acknowledged_at: string | null }

export function keepAnswer(memberId: string, noticeId: string, isAcknowledged: boolean) {
  const values: Answer = { noticeId, isAcknowledged, at: new Date().toISOString() }
  void writeSoon(memberId, { id: `${ANSWER} ${noticeId}`, kind: ANSWER, values })
}

/** Notices as the server has them, with the answers that wait on this device. */
export function withAnswers<Notice extends Answered>(
  memberId: string,
  notices: Notice[],
): Notice[] {
  const answers = pendingChanges<Answer>(memberId, ANSWER)
  return notices.map((notice) => {
    const answer = answers.find(({ noticeId }) => noticeId === notice.id)
    if (!answer) return notice
    const acknowledged_at = answer.isAcknowledged ? answer.at : notice.acknowledged_at
    return { ...notice, is_unread: false, acknowledged_at }
  })
}

writesLater<Answer>(ANSWER, {
  write: ({ noticeId, isAcknowledged }) =>
    callFunction(isAcknowledged ? 'acknowledge_notice' : 'mark_notice_opened', {
      notice_id: noticeId,
    }),
  onSettled: () => void queryClient.invalidateQueries({ queryKey: ['team_notices'] }),
  onRefused: (error) => showError(m.notifications_error_saving(), error),
})
