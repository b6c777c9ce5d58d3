// Mails people about their account: an admin let them in or declined them, or their two-step verification changed, which may
// not have been them.
import type { Logger } from 'pino'
import type { Backend } from 'backend/gateway/start-backend.ts'
import { serviceCaller } from 'backend/http/caller.ts'
import { accountMail, type AccountEvent } from './account-mail.ts'
import { repeat } from './repeat.ts'

const EVERY_MS = 30_000

type Dependencies = { backend: Pick<Backend, 'database' | 'mail'>; siteUrl: string }

export function startAccountMails({ log, ...dependencies }: Dependencies & { log: Logger }) {
  const work = () => mailAccountEvents(dependencies)
  return repeat(work, { everyMs: EVERY_MS, what: 'mailing what happened to accounts', log })
}

export async function mailAccountEvents({ backend, siteUrl }: Dependencies): Promise<void> {
  const { rows } = await backend.database.runAs(serviceCaller, {
    name: 'claim_account_mails',
    text: 'select * from public.claim_account_mails()',
  })
  for (const event of rows as AccountEvent[]) await backend.mail.send(accountMail(event, siteUrl))
}
