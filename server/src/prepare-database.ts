// The database of this installation, running and brought to this version.
import type { Logger } from 'pino'
import type { InstallationKeys } from 'backend/http/installation-keys.ts'
import { startEmbeddedCluster } from 'backend/postgres/embedded-cluster.ts'
import { updateDatabase } from 'backend/postgres/update-database.ts'
import type { SchemaFolders } from './backup/restore/plan-load.ts'
import { plainTextHost } from './backup/restore/target-url.ts'
import { refuseUnfinishedDatabase } from './backup/restore/unfinished.ts'
import { backUpBeforeUpdate } from './backup/update-backup.ts'
import { projectFiles } from './project-files.ts'
import type { Settings } from './settings.ts'

export type Dependencies = {
  keys: InstallationKeys
  log: Logger
  /** Receives what has to be closed, last first. */
  closers: (() => Promise<unknown>)[]
  /** Another version's, in tests. */
  schema?: SchemaFolders
}

/** @returns the superuser's URL */
export async function prepareDatabase(
  settings: Settings,
  { keys, log, closers, schema = projectFiles }: Dependencies,
): Promise<string> {
  let url = settings.DATABASE_URL
  if (!url) {
    const cluster = await startEmbeddedCluster({
      dataDir: settings.DATA_DIR,
      password: keys.databasePassword,
      processes: settings.WORKERS,
      onEvent: (message, error) => log.warn({ err: error }, message),
    })
    closers.push(() => cluster.stop())
    url = cluster.socketUrl
  } else warnOfPlainText(url, log)
  await refuseUnfinishedDatabase(url)
  await updateDatabase({
    url,
    platform: schema.platform,
    migrations: schema.migrations,
    password: keys.databasePassword,
    keepPostgresPassword: Boolean(settings.DATABASE_URL),
    async beforeChange(pending) {
      const backup = await backUpBeforeUpdate(settings)
      log.warn({ backup, pending }, 'updating the database; its backup was made first')
    },
  })
  return url
}

// A name without a dot is one of a container's own network, as in deploy/compose.yaml.
function warnOfPlainText(url: string, log: Logger) {
  const host = plainTextHost(new URL(url))
  if (!host || !/[.:]/.test(host)) return
  log.warn(
    { host },
    'DATABASE_URL names a database on another machine without asking for encryption: its password and every row could be read on the way. ' +
      'Add ?sslmode=verify-full to it',
  )
}
