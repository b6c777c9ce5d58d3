import type { Delivery } from './delivery.ts'
import type { ChannelReport } from './open-channels.ts'
import type { PushStore } from './send-due.ts'

export type RestStore = PushStore & { report(channels: ChannelReport[]): Promise<void> }

/** The push outbox over HTTP with the secret key, for the Edge Function, which has no database connection. */
export function createRestStore(projectUrl: string, secretKey: string): RestStore {
  async function call(name: string, body: object): Promise<unknown> {
    // Legacy keys are JWTs and go into both headers; new secret keys are not JWTs.
    const bearer: Record<string, string> = secretKey.startsWith('sb_')
      ? {}
      : { authorization: `Bearer ${secretKey}` }
    const response = await fetch(`${projectUrl}/rest/v1/rpc/${name}`, {
      method: 'POST',
      headers: { apikey: secretKey, 'content-type': 'application/json', ...bearer },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    })
    const text = await response.text()
    if (!response.ok)
      throw new Error(`${name} responded with ${response.status}: ${text.slice(0, 300)}`)
    return text === '' ? null : JSON.parse(text)
  }
  return {
    async claim(channels, max_results, lease_seconds) {
      const args = { channels, max_results, lease_seconds }
      return (await call('claim_push_deliveries', args)) as Delivery[]
    },
    async settle(results) {
      await call('settle_push_deliveries', { results })
    },
    async report(channels) {
      await call('report_push_channels', { channels })
    },
  }
}
