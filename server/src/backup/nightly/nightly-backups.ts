// Asks every minute whether a backup is due. The database says so to one process only, also after a restart or a clock that was set.
import type { Logger } from 'pino'
import { serviceCaller } from 'backend/http/caller.ts'
import type { Clock } from 'backend/http/clock.ts'
import type { Database } from 'backend/postgres/database.ts'
import type { Settings } from '../../settings.ts'
import { openPlace } from '../places/open-place.ts'
import { runNightlyBackup, type NightlyResult } from './backup-process.ts'
import { lastDue } from './last-due.ts'

const EVERY_MS = 60_000
/** Whether the backups are still where they were kept. */
const LIST_EVERY_MS = 60 * 60_000
const LIST_TIMEOUT_MS = 30_000

export type NightlyDependencies = {
  settings: Settings
  database: Pick<Database, 'runAs'>
  clock: Clock
  log: Logger
  everyMs?: number
  run?: (settings: Settings, signal: AbortSignal) => Promise<NightlyResult>
}

/**
 * Off without BACKUP_TO. Runs until closed; a backup that runs then is given up, and begun again at the next start.
 * @throws BackupError if the settings lack what BACKUP_TO needs
 */
export function startNightlyBackups(dependencies: NightlyDependencies): { close(): Promise<void> } {
  const { settings, log, everyMs = EVERY_MS } = dependencies
  if (!settings.BACKUP_TO) return { close: async () => undefined }
  // A bucket without its keys should not come out at night.
  openPlace(settings.BACKUP_TO, settings)
  const stopping = new AbortController()
  let listedAt = -Infinity
  let kept: string[] | null = null
  let working: Promise<void> | null = null

  function look() {
    void listKept()
    if (working) return
    working = backUpIfDue(dependencies, kept, stopping.signal)
      .catch((error: unknown) => log.error({ err: error }, 'looking for a due backup failed'))
      .finally(() => (working = null))
    kept = null
  }

  // A place that cannot be reached is no sign that they are gone, and holds nothing up.
  async function listKept() {
    if (!settings.BACKUP_TO || performance.now() - listedAt < LIST_EVERY_MS) return
    listedAt = performance.now()
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(LIST_TIMEOUT_MS)])
    kept = await openPlace(settings.BACKUP_TO, settings, signal)
      .list()
      .catch(() => null)
  }
  const timer = setInterval(look, everyMs)
  timer.unref()
  look()
  return {
    async close() {
      clearInterval(timer)
      stopping.abort()
      await working
    },
  }
}

async function backUpIfDue(
  {
    settings,
    database,
    clock,
    log,
    everyMs = EVERY_MS,
    run = runNightlyBackup,
  }: NightlyDependencies,
  kept: string[] | null,
  signal: AbortSignal,
) {
  const due = lastDue(new Date(clock.now()), settings.BACKUP_AT)
  const { rows } = await database.runAs(serviceCaller, {
    name: 'claim_backup',
    text: 'select public.claim_backup($1, $2) as id',
    values: [due.toISOString(), kept],
  })
  const id = (rows[0] as { id: string | null } | undefined)?.id
  if (!id) return
  const keep = setInterval(() => void keepClaim(database, id).catch(() => undefined), everyMs)
  let result: NightlyResult | { failure: string } | Record<string, never>
  try {
    result = await run(settings, signal)
    if (result.missing_files > 0)
      log.warn({ missing: result.missing_files }, 'files were gone when the backup was made')
  } catch (error) {
    result = signal.aborted ? {} : { failure: (error as Error).message }
    if (!signal.aborted) log.error({ err: error }, 'the nightly backup failed')
  } finally {
    clearInterval(keep)
  }
  await database.runAs(serviceCaller, {
    name: 'settle_backup',
    text: 'select public.settle_backup($1, $2)',
    values: [id, JSON.stringify(result)],
  })
}

function keepClaim(database: Pick<Database, 'runAs'>, id: string) {
  return database.runAs(serviceCaller, {
    name: 'keep_backup_claim',
    text: 'select public.keep_backup_claim($1)',
    values: [id],
  })
}
