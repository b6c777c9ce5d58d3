// What a member answers to notices, acknowledged or read, waits on this device while offline.
import { callFunction } from '#data/call-function.ts'
import { pendingChanges, writesLater, writeSoon } from '#data/kept/pending-writes.ts'
import { queryClient } from '#data/query-client.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'

const ANSWER = 'notice answer'
const ALL_READ = 'all notifications read'

type Answer = { noticeId: string; isAcknowledged: boolean; at: string }
type AllRead = { until: string; noticeIds: string[] }
type Answered = { id: string; at: string; is_unread: boolean; acknowledged_at: string | null }

export function keepAnswer(memberId: string, noticeId: string, isAcknowledged: boolean) {
  const values: Answer = { noticeId, isAcknowledged, at: new Date().toISOString() }
  void writeSoon(memberId, { id: `${ANSWER} ${noticeId}`, kind: ANSWER, values })
}

/** Whether the answer is only on this device yet. */
export function isAnswerWaiting(memberId: string, id: string): boolean {
  return pendingChanges<Answer>(memberId, ANSWER).some(({ noticeId }) => noticeId === id)
}

/** `until`: the moment of the newest notification the member sees; `noticeIds`: the notices they see. */
export function keepAllRead(memberId: string, values: AllRead) {
  void writeSoon(memberId, { id: ALL_READ, kind: ALL_READ, values })
}

/** Notices as the server has them, with the answers that wait on this device. */
export function withAnswers<Notice extends Answered>(
  memberId: string,
  notices: Notice[],
): Notice[] {
  const answers = pendingChanges<Answer>(memberId, ANSWER)
  const [allRead] = pendingChanges<AllRead>(memberId, ALL_READ)
  const readUntil = allRead ? Date.parse(allRead.until) : -Infinity
  return notices.map((notice) => {
    const answer = answers.find(({ noticeId }) => noticeId === notice.id)
    if (!answer) return Date.parse(notice.at) > readUntil ? notice : { ...notice, is_unread: false }
    const acknowledged_at = answer.isAcknowledged ? answer.at : notice.acknowledged_at
    return { ...notice, is_unread: false, acknowledged_at }
  })
}

const afterwards = {
  onSettled: () => void queryClient.invalidateQueries({ queryKey: ['team_notices'] }),
  onRefused: (error: unknown) => showError(m.notifications_error_saving(), error),
}

writesLater<Answer>(ANSWER, {
  write: ({ noticeId, isAcknowledged }) =>
    callFunction(isAcknowledged ? 'acknowledge_notice' : 'mark_notice_opened', {
      notice_id: noticeId,
    }),
  ...afterwards,
})
writesLater<AllRead>(ALL_READ, {
  write: ({ until, noticeIds }) =>
    callFunction('mark_notifications_read', { until, notice_ids: noticeIds }),
  ...afterwards,
})
