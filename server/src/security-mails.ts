// Mails members that their two-step verification was turned on, turned off or reset, because it may not have been them.
import type { Logger } from 'pino'
import type { Backend } from 'backend/gateway/start-backend.ts'
import { serviceCaller } from 'backend/http/caller.ts'
import { repeat } from './repeat.ts'
import { securityMail, type SecurityEvent } from './security-mail.ts'

const EVERY_MS = 30_000

type Surroundings = { backend: Pick<Backend, 'database' | 'mail'>; siteUrl: string }

export function startSecurityMails({ log, ...surroundings }: Surroundings & { log: Logger }) {
  const work = () => mailSecurityEvents(surroundings)
  return repeat(work, { everyMs: EVERY_MS, what: 'mailing security events', log })
}

export async function mailSecurityEvents({ backend, siteUrl }: Surroundings): Promise<void> {
  const { rows } = await backend.database.runAs(serviceCaller, {
    name: 'claim_security_mails',
    text: 'select * from public.claim_security_mails()',
  })
  for (const event of rows as SecurityEvent[]) await backend.mail.send(securityMail(event, siteUrl))
}
