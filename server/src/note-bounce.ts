// A mail server that refuses an invitation says so later, when the mail leaves the outbox.
import { serviceCaller } from 'backend/http/caller.ts'
import type { Database } from 'backend/postgres/database.ts'

type GivenUpMail = { to: string; reason: string; createdAt: Date }

/** Marks the open invitation of the address, if there is one, so that admins see why nobody came. */
export async function noteBounce(
  { to, reason, createdAt }: GivenUpMail,
  database: Pick<Database, 'runAs'>,
): Promise<void> {
  await database.runAs(serviceCaller, {
    name: 'note_bounce',
    text: 'select public.note_bounce($1, $2, $3)',
    values: [to, reason, createdAt],
  })
}
