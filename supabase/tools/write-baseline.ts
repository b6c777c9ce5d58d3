// Replaces all migrations by one that creates what supabase/schemas defines. Only while nothing is released.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MIGRATIONS, SUPABASE, schemaPaths } from './schema-files.ts'

const HEADER = `-- The product's database, made from supabase/schemas by \`npm run database-baseline\`. Read and edit those files.
`

/**
 * @param version of the new baseline; by default the oldest one it replaces, so that migrations on other branches still
 * apply after it
 * @returns the new file's name
 */
export function writeBaseline(version?: string): string {
  const replaced = readdirSync(MIGRATIONS)
    .filter((file) => /^\d{14}_\w+\.sql$/.test(file))
    .sort()
  const file = `${version ?? replaced[0]?.slice(0, 14)}_baseline.sql`
  for (const each of replaced) rmSync(join(MIGRATIONS, each))
  writeFileSync(join(MIGRATIONS, file), HEADER + schemaPaths().map(section).join(''))
  return file
}

function section(path: string): string {
  return `\n-- ${path}\n\n${readFileSync(join(SUPABASE, path), 'utf8')}`
}
