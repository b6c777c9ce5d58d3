import * as v from 'valibot'
import type { SupabaseConfig } from './supabase-connection.ts'

const configSchema = v.object({
  supabaseUrl: v.pipe(v.string(), v.minLength(1)),
  supabaseKey: v.pipe(v.string(), v.minLength(1)),
  siteUrl: v.optional(v.string()),
  hasMailbox: v.optional(v.boolean()),
  takesBatches: v.optional(v.boolean()),
})

/** A hosted build has the address and key built in; an embedded one fetches them from its own server. */
export async function loadConfig(): Promise<SupabaseConfig> {
  // Written out in full, because the build replaces exactly these expressions.
  const supabaseUrl = import.meta.env.VITE_SUPABASE_URL as string | undefined
  const supabaseKey = import.meta.env.VITE_SUPABASE_PUBLISHABLE_KEY as string | undefined
  if (supabaseUrl && supabaseKey) return { supabaseUrl, supabaseKey }

  const response = await fetch('/config.json')
  if (!response.ok) throw new Error(`config.json responded with ${response.status}`)
  const config = v.parse(configSchema, await response.json())
  return {
    ...config,
    supabaseUrl: new URL(config.supabaseUrl, location.origin).href.replace(/\/$/, ''),
  }
}
