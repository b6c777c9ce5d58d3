// Writes the next migration's skeleton: the difference between supabase/schemas and supabase/migrations.
//   npm run database-diff -- add_member_notes
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { register } from 'tsx/esm/api'

const [name] = process.argv.slice(2)
if (!/^[a-z][a-z0-9_]*$/.test(name ?? '')) {
  console.error('Name the migration in snake_case: npm run database-diff -- add_member_notes')
  process.exit(1)
}

register()
const { cloneDatabase, databaseUrl, startTestCluster } =
  await import('../backend/testing/test-cluster.ts')
const { runScript } = await import('../backend/src/postgres/migrations.ts')
const { readCatalogueAt } = await import('../supabase/tools/read-catalogue.ts')
const { MIGRATIONS, readSchemas } = await import('../supabase/tools/schema-files.ts')
const { writeMigration } = await import('../supabase/tools/write-migration.ts')

const cluster = await startTestCluster()
let skeleton
try {
  await cloneDatabase(cluster.url, 'from_schemas', 'platform_only')
  await runScript(databaseUrl(cluster.url, 'from_schemas'), readSchemas())
  await cloneDatabase(cluster.url, 'from_migrations', 'with_product')
  skeleton = await writeMigration(
    databaseUrl(cluster.url, 'from_migrations'),
    readSchemas(),
    await readCatalogueAt(databaseUrl(cluster.url, 'from_schemas')),
  )
} finally {
  await cluster.stop()
}

const { statements, byHand } = skeleton
if (statements.length + byHand.length === 0) {
  console.log('supabase/migrations already matches supabase/schemas')
} else {
  const file = `${await nextVersion()}_${name}.sql`
  const text = [
    '-- Why this changes; then check each statement: what happens to existing rows?\n',
    ...statements.map((statement) => `${statement}\n`),
    ...byHand.map((sentence) => `-- By hand: ${sentence.replaceAll('\n', ' ')}\n`),
  ].join('\n')
  await writeFile(join(MIGRATIONS, file), text)
  console.log(`wrote supabase/migrations/${file}`)
  for (const sentence of byHand) console.log(`by hand: ${sentence}`)
}

/** The current time as a version, or the newest version plus one if that is in the future. */
async function nextVersion() {
  const newest = (await readdir(MIGRATIONS)).sort().at(-1)?.slice(0, 14) ?? '0'
  const now = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  return now > newest ? now : String(BigInt(newest) + 1n)
}
