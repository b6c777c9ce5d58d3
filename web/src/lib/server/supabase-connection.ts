export type SupabaseConfig = {
  supabaseUrl: string
  supabaseKey: string
  /** Where links in mails lead, whichever address this page was opened at; only an embedded server says so. */
  siteUrl?: string | undefined
  /** The server keeps mails instead of sending them, at /_mail. */
  hasMailbox?: boolean | undefined
  /** The server handles several requests in one, at /batch/v1; a hosted project does not. */
  takesBatches?: boolean | undefined
}

let current: SupabaseConfig | undefined
const waiting: ((config: SupabaseConfig) => void)[] = []

/** Points every client at one backend. Called once at start-up, before anything renders. */
export function connectSupabase(config: SupabaseConfig) {
  current = config
  for (const connect of waiting) connect(config)
}

/** Runs `connect` as soon as the backend's address is known, and again if a test changes it. */
export function whenConnected(connect: (config: SupabaseConfig) => void) {
  waiting.push(connect)
  if (current) connect(current)
}

/** The current address and public key; only valid after start-up. */
export function connectedConfig(): SupabaseConfig {
  if (!current) throw new Error('connectSupabase() has not been called yet')
  return current
}
