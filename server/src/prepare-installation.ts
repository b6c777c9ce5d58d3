// What has to be there before anything is served: the data folder, its keys and the database of this version.
import type { Logger } from 'pino'
import { loadInstallationKeys } from 'backend/http/installation-keys.ts'
import { refuseUnfinishedFolder } from './backup/restore/unfinished.ts'
import type { SchemaFolders } from './backup/restore/plan-load.ts'
import { prepareDataDir } from './data-folder.ts'
import { loadDemoTeam } from './demo-team.ts'
import { prepareDatabase } from './prepare-database.ts'
import { projectFiles } from './project-files.ts'
import { issueSetUpCode } from './set-up-code.ts'
import type { Settings } from './settings.ts'

export type Installation = {
  /** The superuser's. */
  databaseUrl: string
  /** With it the first person becomes admin; null once there is one. */
  setUpCode: string | null
}

type Dependencies = {
  log: Logger
  /** Gets what stops what was started. */
  closers: (() => Promise<unknown>)[]
  demo?: boolean | undefined
  schema?: SchemaFolders | undefined
}

/** @throws SettingsError for what the operator can fix */
export async function prepareInstallation(
  settings: Settings,
  { log, closers, demo, schema }: Dependencies,
): Promise<Installation> {
  await prepareDataDir(settings.DATA_DIR)
  await refuseUnfinishedFolder(settings.DATA_DIR)
  const keys = await loadInstallationKeys(settings.DATA_DIR)
  const databaseUrl = await prepareDatabase(settings, { keys, log, closers, schema })
  if (demo) await loadDemoTeam(databaseUrl, projectFiles.demoTeam)
  return { databaseUrl, setUpCode: await issueSetUpCode(databaseUrl, settings.SETUP_CODE) }
}
