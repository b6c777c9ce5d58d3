import { serviceCaller } from 'backend/http/caller.ts'
import type { Database } from 'backend/postgres/database.ts'
import type { Delivery } from 'supabase-project/functions/push/delivery.ts'
import type { ChannelReport } from 'supabase-project/functions/push/open-channels.ts'
import type { PushStore } from 'supabase-project/functions/push/send-due.ts'

/** The push outbox over the server's own database connection; calls the same functions as the Edge Function. */
export function createPushStore({ runAs }: Pick<Database, 'runAs'>): PushStore & {
  report(channels: ChannelReport[]): Promise<void>
} {
  return {
    async claim(channels, max, leaseSeconds) {
      const { rows } = await runAs(serviceCaller, {
        name: 'push_claim',
        text: 'select * from public.claim_push_deliveries($1, $2, $3)',
        values: [channels, max, leaseSeconds],
      })
      // The driver returns bigint as text; ids stay far below 2^53.
      return (rows as (Delivery & { id: string })[]).map((row) => ({ ...row, id: Number(row.id) }))
    },
    async settle(results) {
      await runAs(serviceCaller, {
        name: 'push_settle',
        text: 'select public.settle_push_deliveries($1)',
        values: [JSON.stringify(results)],
      })
    },
    async report(channels) {
      await runAs(serviceCaller, {
        name: 'push_report',
        text: 'select public.report_push_channels($1)',
        values: [JSON.stringify(channels)],
      })
    },
  }
}
