import type { ApnsSender } from './apns.ts'

export const APNS_ADDRESS = 'https://api.push.apple.com'
export const APNS_SANDBOX_ADDRESS = 'https://api.sandbox.push.apple.com'

/** Sends to APNs with `fetch`, where it speaks HTTP/2, as in Deno. */
export function createFetchApnsSender(address: string): ApnsSender {
  return async ({ path, headers, body }, signal) => {
    const response = await fetch(address + path, { method: 'POST', headers, body, signal })
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: await response.text(),
    }
  }
}
