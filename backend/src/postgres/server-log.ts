// The embedded Postgres rotates its own log by size; this process deletes the oldest files. Only server events are
// logged. Statement errors go only to the client that sent them, because their messages quote rows and parameters.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { LIMITS } from './limits.ts'

const FOLDER = 'log'
const PRUNE_EVERY_MS = 10_000
/** Names sort by time. */
const FILE = /^postgres-[\d-]+\.log$/

export const LOG_SETTINGS = [
  'logging_collector=on',
  `log_directory=${FOLDER}`,
  'log_filename=postgres-%Y%m%d-%H%M%S.log',
  'log_file_mode=0600',
  `log_rotation_size=${LIMITS.logFileBytes / 1024}kB`,
  'log_rotation_age=0',
  // Excludes everything below LOG, including all errors that a statement can cause.
  'log_min_messages=log',
  'log_error_verbosity=terse',
  'log_min_error_statement=panic',
  'log_parameter_max_length=0',
  'log_parameter_max_length_on_error=0',
  'log_statement=none',
  'log_min_duration_statement=-1',
]

/** Deletes all but the newest log files. */
export async function pruneLog(cluster: string): Promise<void> {
  const folder = join(cluster, FOLDER)
  const names = await readdir(folder).catch(() => [])
  const files = names.filter((name) => FILE.test(name)).sort()
  for (const name of files.slice(0, -LIMITS.logFiles)) await rm(join(folder, name), { force: true })
}

/** Prunes now and then periodically. Returns a function that stops it. */
export function keepPruned(cluster: string, onError: (error: unknown) => void): () => void {
  const prune = () => void pruneLog(cluster).catch(onError)
  prune()
  const timer = setInterval(prune, PRUNE_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
