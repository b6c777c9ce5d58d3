// What members report, and who sees it.
import { bringsRows, type Attempts, type Occasion } from './rights-cases.ts'

/** A report by the member about a stranger, which a leader has decided. */
async function aDecidedReport({ scene }: Occasion): Promise<string> {
  const [report] = await scene.team.sql<{ id: string }>(
    `insert into private.reports (reporter_id, member_id, reason, outcome, closed_at)
     values ($1, $2, 'spam', 'fine', now()) returning id`,
    [scene.cast.member.id, scene.stranger.id],
  )
  return report?.id ?? ''
}

async function isReported({ scene, me, squad }: Occasion, column: 'message_id' | 'member_id') {
  const found = await scene.team.sql(
    `select from private.reports where reporter_id::text = $1 and ${column}::text = $2`,
    [me.id, column === 'message_id' ? squad.messageId : scene.cast.member.id],
  )
  return found.length > 0
}

export const reportAttempts: Attempts = {
  'report the member’s message in Squad with report_message': async (occasion) => {
    const { me, squad } = occasion
    await me.client.rpc('report_message', { message_id: squad.messageId, reason: 'spam' })
    return isReported(occasion, 'message_id')
  },
  'report the member with report_member': async (occasion) => {
    const { me, scene } = occasion
    await scene.team.sql('delete from private.reports')
    await me.client.rpc('report_member', { member_id: scene.cast.member.id, reason: 'spam' })
    return isReported(occasion, 'member_id')
  },
  'find the member’s report with my_reports': async (occasion) => {
    const id = await aDecidedReport(occasion)
    return bringsRows(occasion.me.client.rpc('my_reports').eq('id', id))
  },
  'mark the member’s report as seen with mark_reports_seen': async (occasion) => {
    const id = await aDecidedReport(occasion)
    await occasion.me.client.rpc('mark_reports_seen')
    const seen = await occasion.scene.team.sql(
      'select from private.reports where id = $1 and seen_at is not null',
      [id],
    )
    return seen.length > 0
  },
}
