import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow } from '#data/database.ts'
import { queryClient } from '#data/query-client.ts'
import { m } from '#lib/messages/messages.js'

export type Report = ResultRow<'my_reports'>
export type ReportReason = Report['reason']

/** What somebody can be reported for, in the order of the list. */
export const REPORT_REASONS: Record<ReportReason, () => string> = {
  harassment: m.safety_reason_harassment,
  misleading_claims: m.safety_reason_misleading_claims,
  private_data: m.safety_reason_private_data,
  spam: m.safety_reason_spam,
  other: m.safety_reason_other,
}

const OUTCOMES: Record<NonNullable<Report['outcome']>, () => string> = {
  fine: m.safety_outcome_fine,
  follow_up: m.safety_outcome_follow_up,
  violation: m.safety_outcome_violation,
}

/** What became of a report, in words for its reporter. */
export function outcomeWords(outcome: string | null): string {
  return (OUTCOMES[outcome as keyof typeof OUTCOMES] ?? m.safety_outcome_open)()
}

/** A message with its author, or a person. */
export type Reported = { memberId: string; name: string; messageId?: string }

export const myReportsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['reports', userId],
    queryFn: () => callFunction('my_reports', { max_results: 200 }),
  })

/** Sent again with the same id it is one report. */
export type ReportEntry = { id: string; reason: ReportReason; note: string }

export async function sendReport(
  { messageId, memberId }: Reported,
  { id, ...entry }: ReportEntry,
): Promise<void> {
  await (messageId
    ? callFunction('report_message', { message_id: messageId, report_id: id, ...entry })
    : callFunction('report_member', { member_id: memberId, report_id: id, ...entry }))
  await queryClient.invalidateQueries({ queryKey: ['reports'] })
}

/** The member has seen what became of their reports. */
export async function markReportsSeen(): Promise<void> {
  await callFunction('mark_reports_seen')
  await queryClient.invalidateQueries({ queryKey: ['team_notices'] })
}
