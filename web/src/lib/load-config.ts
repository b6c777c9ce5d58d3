import * as v from 'valibot'
import type { SupabaseConfig } from './supabase-connection.ts'

const configSchema = v.object({
  supabaseUrl: v.pipe(v.string(), v.minLength(1)),
  supabaseKey: v.pipe(v.string(), v.minLength(1)),
})

/** A hosted build carries its address and key; an embedded one asks the server that served the page. */
export async function loadConfig(): Promise<SupabaseConfig> {
  // Written out in full, because the build replaces exactly these words.
  const supabaseUrl = import.meta.env.VITE_SUPABASE_URL as string | undefined
  const supabaseKey = import.meta.env.VITE_SUPABASE_PUBLISHABLE_KEY as string | undefined
  if (supabaseUrl && supabaseKey) return { supabaseUrl, supabaseKey }

  const response = await fetch('/config.json')
  if (!response.ok) throw new Error(`config.json answered ${response.status}`)
  const config = v.parse(configSchema, await response.json())
  return {
    ...config,
    supabaseUrl: new URL(config.supabaseUrl, location.origin).href.replace(/\/$/, ''),
  }
}
