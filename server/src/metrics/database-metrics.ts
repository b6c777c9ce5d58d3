import type { Backend } from 'backend/gateway/start-backend.ts'
import { serviceCaller } from 'backend/http/caller.ts'
import { gauge, type Metric } from './exposition.ts'

type Figures = {
  active_members: string
  push_waiting: string
  push_failed: string
  backed_up_at: Date | null
  backup_problems: number | null
}

/** What the database knows; without it, only that it cannot be reached. */
export async function databaseMetrics({
  database,
  mail,
}: Pick<Backend, 'database' | 'mail'>): Promise<Metric[]> {
  const started = performance.now()
  try {
    const { rows } = await database.runAs(serviceCaller, {
      name: 'server_figures',
      text: 'select * from public.server_figures()',
      values: [],
    })
    const seconds = (performance.now() - started) / 1000
    const figures = rows[0] as Figures
    const { late, givenUp } = await mail.waiting()
    const { backed_up_at: at } = figures
    return [
      gauge('rally_database_up', '1 if the database responds.', 1),
      gauge('rally_database_seconds', 'How long it took to respond.', seconds),
      gauge('rally_members', 'Active members.', Number(figures.active_members)),
      gauge('rally_push_waiting', 'Notifications that are due.', Number(figures.push_waiting)),
      gauge('rally_push_failed', 'Not delivered in 24 hours.', Number(figures.push_failed)),
      gauge('rally_mails_unsent', 'Mails late or given up in 24 hours.', late + givenUp),
      gauge(
        'rally_backup_timestamp_seconds',
        'When the latest good backup was verified.',
        at && new Date(at).getTime() / 1000,
      ),
      gauge(
        'rally_backup_problems',
        '1 if the latest backup is missing or failed.',
        figures.backup_problems,
      ),
    ]
  } catch {
    return [gauge('rally_database_up', '1 if the database responds.', 0)]
  }
}
