// Writes web/src/data/database.types.ts: the Supabase CLI's types for a fresh database with
// supabase/migrations applied. `--check` writes nothing and fails if the file is out of date.
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { format, resolveConfig } from 'prettier'
import { register } from 'tsx/esm/api'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TARGET = fileURLToPath(new URL('../web/src/data/database.types.ts', import.meta.url))
const HEADER = '// Generated from supabase/migrations by `npm run database-types`. Do not edit.\n'

register()
const { cloneDatabase, databaseUrl, startTestCluster } =
  await import('../backend/testing/test-cluster.ts')

const cluster = await startTestCluster()
let types
try {
  await cloneDatabase(cluster.url, 'types', 'with_product')
  types = await generate(databaseUrl(cluster.url, 'types'))
} finally {
  await cluster.stop()
}

if (!process.argv.includes('--check')) {
  await writeFile(TARGET, types)
  console.log('wrote web/src/data/database.types.ts')
} else if ((await readFile(TARGET, 'utf8').catch(() => '')) !== types) {
  console.error('web/src/data/database.types.ts is out of date: run `npm run database-types`')
  process.exitCode = 1
}

async function generate(url) {
  // Otherwise the CLI tries TLS first and prints a warning into the types.
  url += '?sslmode=disable'
  const { stdout } = await promisify(execFile)(
    'npx',
    ['supabase', 'gen', 'types', 'typescript', '--db-url', url, '--schema', 'public'],
    { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 },
  )
  return format(HEADER + stdout, { ...(await resolveConfig(TARGET)), parser: 'typescript' })
}
