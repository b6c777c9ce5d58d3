// Mails reminders of notices that were not acknowledged within a day. On hosted Supabase, which sends no mails of the
// product's own, reminders stay in the app and on devices.
import type { Logger } from 'pino'
import type { Backend } from 'backend/gateway/start-backend.ts'
import { serviceCaller } from 'backend/http/caller.ts'
import { repeat } from './repeat.ts'
import { reminderMail, type Reminder } from './reminder-mail.ts'

const EVERY_MS = 5 * 60_000

type Dependencies = {
  backend: Pick<Backend, 'database' | 'mail'>
  siteUrl: string
  log: Logger
}

/** Runs at once and then every five minutes until closed. */
export function startReminderMails(dependencies: Dependencies) {
  const work = () => mailReminders(dependencies)
  return repeat(work, { everyMs: EVERY_MS, what: 'mailing reminders', log: dependencies.log })
}

export async function mailReminders({ backend, siteUrl }: Omit<Dependencies, 'log'>) {
  const { rows } = await backend.database.runAs(serviceCaller, {
    name: 'claim_reminder_mails',
    text: 'select * from public.claim_reminder_mails()',
  })
  for (const reminder of rows as Reminder[]) {
    await backend.mail.send(reminderMail(reminder, siteUrl))
  }
}
