// The schema files in the order in which supabase/config.toml lists them: the single definition of the database.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** This folder's project: config.toml, schemas/, migrations/. */
export const SUPABASE = fileURLToPath(new URL('..', import.meta.url))

export const MIGRATIONS = join(SUPABASE, 'migrations')

/** Paths relative to `SUPABASE`, such as `./schemas/members.sql`, in order. */
export function schemaPaths(): string[] {
  const config = readFileSync(join(SUPABASE, 'config.toml'), 'utf8')
  const list = /^schema_paths = \[([^\]]*)\]/m.exec(config)?.[1]
  if (!list) throw new Error('supabase/config.toml lists no schema_paths')
  return [...list.matchAll(/"([^"]+)"/g)].map(([, path = '']) => path)
}

/** All schema files as one script. */
export function readSchemas(): string {
  return schemaPaths()
    .map((path) => readFileSync(join(SUPABASE, path), 'utf8'))
    .join('\n')
}
