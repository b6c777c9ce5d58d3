// Start and stop of every server in bench/: the product's database on its own embedded Postgres.
import { join } from 'node:path'
import type { Backend } from 'backend/gateway/start-backend.ts'
import { loadInstallationKeys, type InstallationKeys } from 'backend/http/installation-keys.ts'
import { startEmbeddedCluster, type EmbeddedCluster } from 'backend/postgres/embedded-cluster.ts'
import { applyMigrations } from 'backend/postgres/migrations.ts'
import { preparePlatform } from 'backend/postgres/platform.ts'

/** The working directory of `npm run bench`. */
export const ROOT = process.cwd()

export async function startProductDatabase(
  dataDir: string,
): Promise<{ keys: InstallationKeys; cluster: EmbeddedCluster }> {
  const keys = await loadInstallationKeys(dataDir)
  const cluster = await startEmbeddedCluster({ dataDir, password: keys.databasePassword })
  await preparePlatform({
    url: cluster.url,
    folder: join(ROOT, 'backend/platform'),
    password: keys.databasePassword,
  })
  await applyMigrations(cluster.url, join(ROOT, 'supabase/migrations'))
  return { keys, cluster }
}

/** The bench ends a server with SIGTERM. */
export function stopWhenTold(backend: Backend, cluster: EmbeddedCluster) {
  process.on('SIGTERM', () => {
    void backend
      .close()
      .then(() => cluster.stop())
      .then(() => process.exit(0))
  })
}
