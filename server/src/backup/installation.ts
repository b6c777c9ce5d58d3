// The installation that the environment names, as the programs beside the server see it.
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { loadInstallationKeys } from 'backend/http/installation-keys.ts'
import {
  findRunningCluster,
  hasCluster,
  startEmbeddedCluster,
} from 'backend/postgres/embedded-cluster.ts'
import { openObjectStore } from 'backend/gateway/open-object-store.ts'
import { DEMO_FOLDER } from '../project-files.ts'
import { BackupError } from './archive/errors.ts'
import type { FileSource } from './files/file-source.ts'
import { s3Settings } from '../s3-settings.ts'
import type { Settings } from '../settings.ts'

const RESTART_MS = 5_000
const RESTART_POLL_MS = 250

export type RunningDatabase = { url: string; stop(): Promise<void> }

/**
 * Its database: the outside one, or the built-in one, which is started unless the server runs it already.
 * @throws BackupError if there is no installation
 */
export async function openDatabaseOf(settings: Settings): Promise<RunningDatabase> {
  const { DATABASE_URL: url, DATA_DIR: dataDir } = settings
  if (url) return { url, stop: async () => undefined }
  if (!isInstallation(dataDir)) throw noInstallation(dataDir)
  const { databasePassword: password } = await loadInstallationKeys(dataDir)
  const running = await findOrAwait(dataDir, password)
  if (running) return { url: running, stop: async () => undefined }
  return startEmbeddedCluster({ dataDir, password })
}

const isInstallation = (folder: string) =>
  hasCluster(folder) && existsSync(join(folder, 'keys.json'))

function noInstallation(dataDir: string): BackupError {
  const demo = join(dirname(dataDir), DEMO_FOLDER)
  const hint = isInstallation(demo)
    ? ` For the demo's, put DATA_DIR=${relative('', demo)} before the command.`
    : ''
  return new BackupError(
    `There is no installation in ${dataDir}: set DATA_DIR to its folder, or DATABASE_URL to its database.${hint}`,
  )
}

// A Postgres that crashed leaves its pid file, and a server that runs is about to restart it. To be faster would lock it out.
async function findOrAwait(dataDir: string, password: string): Promise<string | null> {
  const crashed = existsSync(join(dataDir, 'postgres/postmaster.pid'))
  const deadline = Date.now() + (crashed ? RESTART_MS : 0)
  for (;;) {
    const running = await findRunningCluster(dataDir, password)
    if (running || Date.now() >= deadline) return running
    await wait(RESTART_POLL_MS)
  }
}

export function openStoreOf(settings: Settings, signal?: AbortSignal) {
  const directory = join(settings.DATA_DIR, 'storage')
  return openObjectStore({ directory, s3: s3Settings(settings), signal })
}

/** @param signal ends what is read from a remote store */
export function filesOf(settings: Settings, signal?: AbortSignal): FileSource {
  const store = openStoreOf(settings, signal)
  return { read: ({ version, size }) => store.read(version, size ?? 0, null) }
}
