import type { AuthClient } from '@supabase/auth-js'
import { whenConnected } from '#lib/server/supabase-connection.ts'
import { admitLinkSession } from './link-session.ts'

export type Auth = InstanceType<typeof AuthClient>

let code: Promise<typeof import('./connect-auth.ts')> | undefined
let client: Promise<Auth> | undefined
const waiting: ((client: Auth) => void)[] = []

whenConnected(() => {
  client = undefined
  admitLinkSession(location)
})

/** The account client. Loaded on first use: neither the login nor a member's screen needs it to be drawn. */
export function auth(): Promise<Auth> {
  code ??= import('./connect-auth.ts')
  client ??= code.then(({ connectAuth }) => {
    // It reads the address as well, which may be another one by now.
    admitLinkSession(location)
    const connected = connectAuth()
    for (const listen of waiting) listen(connected)
    return connected
  }, tryAgainNextTime)
  return client
}

/** Runs `listen` whenever the account client has been loaded, before anybody else uses it. */
export function whenAuthLoaded(listen: (client: Auth) => void) {
  waiting.push(listen)
}

function tryAgainNextTime(failure: unknown): never {
  code = undefined
  client = undefined
  throw failure
}
