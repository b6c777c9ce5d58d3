// Push inside the server: its own keys for browsers, credentials from the settings for Google and Apple.
import type { Logger } from 'pino'
import type { Database } from 'backend/postgres/database.ts'
import { systemClock } from 'backend/http/clock.ts'
import { openChannels, type ChannelReport } from 'supabase-project/functions/push/open-channels.ts'
import { APNS_ADDRESS, APNS_SANDBOX_ADDRESS, createApnsConnection } from './apns-connection.ts'
import { loadPushKeys } from './push-keys.ts'
import { startPushWorker } from './push-worker.ts'
import type { Settings } from './settings.ts'

export type RunningPush = {
  /** One sentence about which channels work, printed at start. */
  summary: string
  close(): Promise<void>
}

export async function startPush(
  settings: Settings,
  dependencies: { siteUrl: string; database: Database; log: Logger },
): Promise<RunningPush> {
  const { siteUrl, database, log } = dependencies
  const { publicKey, privateKey } = await loadPushKeys(settings.DATA_DIR)
  const isSandbox = settings.PUSH_APNS_SANDBOX === 'true'
  const apns = createApnsConnection(isSandbox ? APNS_SANDBOX_ADDRESS : APNS_ADDRESS)
  const opened = openChannels(
    {
      ...settings,
      PUSH_VAPID_PUBLIC_KEY: publicKey,
      PUSH_VAPID_PRIVATE_KEY: privateKey,
      PUSH_VAPID_SUBJECT: settings.PUSH_VAPID_SUBJECT ?? subjectOf(siteUrl),
    },
    { clock: systemClock, apnsSender: apns.send },
  )
  const worker = await startPushWorker({ database, opened, clock: systemClock, log })
  return {
    summary: summaryOf(opened.reports),
    async close() {
      await worker.close()
      apns.close()
    },
  }
}

// Push services want a contact: the site itself, if it is public.
function subjectOf(siteUrl: string): string {
  return siteUrl.startsWith('https:') ? siteUrl : `mailto:no-reply@${new URL(siteUrl).hostname}`
}

const NAMES = { web: 'browsers', fcm: 'Android', apns: 'iOS' }

function summaryOf(reports: ChannelReport[]): string {
  return reports
    .map(({ channel, is_on, detail }) =>
      is_on ? `${NAMES[channel]} on` : `${NAMES[channel]} off (${detail})`,
    )
    .sort()
    .join(', ')
}
