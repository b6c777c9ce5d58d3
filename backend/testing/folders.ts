import { fileURLToPath } from 'node:url'

export const PLATFORM = fileURLToPath(new URL('../platform', import.meta.url))
export const MIGRATIONS = fileURLToPath(new URL('../../supabase/migrations', import.meta.url))
