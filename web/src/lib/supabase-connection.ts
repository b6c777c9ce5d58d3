export type SupabaseConfig = { supabaseUrl: string; supabaseKey: string }

let current: SupabaseConfig | undefined
const waiting: ((config: SupabaseConfig) => void)[] = []

/** Points every client at one backend. Start-up calls it once, before anything is drawn. */
export function connectSupabase(config: SupabaseConfig) {
  current = config
  for (const connect of waiting) connect(config)
}

/** Runs `connect` as soon as the backend's address is known, and again should a test change it. */
export function whenConnected(connect: (config: SupabaseConfig) => void) {
  waiting.push(connect)
  if (current) connect(current)
}

/** The address and public key in use; only meaningful after start-up. */
export function connectedConfig(): SupabaseConfig {
  if (!current) throw new Error('connectSupabase() has not been called yet')
  return current
}
